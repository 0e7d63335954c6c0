import { z } from 'zod';
import { defineTool } from '../../../kit/index.ts';
import { CORE_CALCULATION } from '../access.ts';
import type {} from '../calculations.ts';
import { tableInput } from '../table/request.ts';

export const getPropertyTable = defineTool({
  name: 'getPropertyTable',
  title: 'Property table',
  description:
    'Properties of one mixture over a range of temperature (at fixed pressure) or of pressure (at fixed temperature), one TP flash a point. Points that fail are left out and named.',
  access: CORE_CALCULATION,
  input: tableInput,
  output: z.looseObject({
    sweep: z.string(),
    pointsRequested: z.int(),
    pointsConverged: z.int(),
    table: z.array(z.looseObject({})),
  }),
  reads: [],
  writes: [],
  needs: ['calculations'],
  async run({ use, signal, deadline, progress }, input) {
    return (await use.calculations.run('getPropertyTable', input, { signal, deadline, progress })) as never;
  },
});
