import { z } from 'zod';
import { defineTool } from '../../../kit/index.ts';
import { CORE_CALCULATION } from '../access.ts';
import type {} from '../calculations.ts';
import { envelopeInput } from '../envelope/answer.ts';

export const getPhaseEnvelope = defineTool({
  name: 'getPhaseEnvelope',
  title: 'Phase envelope',
  description:
    'Dew and bubble curve of a mixture in pressure and temperature, with critical point, cricondenbar and cricondentherm. A pure component gives its vapour-pressure line.',
  access: CORE_CALCULATION,
  input: envelopeInput,
  output: z.looseObject({
    model: z.string(),
    numberOfPoints: z.int(),
    envelope: z.array(
      z.looseObject({
        pressure_bara: z.number(),
        temperature_K: z.number(),
        temperature_C: z.number(),
        type: z.enum(['bubblePoint', 'dewPoint']),
      }),
    ),
    criticalPoints: z.looseObject({}),
  }),
  reads: [],
  writes: [],
  needs: ['calculations'],
  async run({ use, signal }, input) {
    return (await use.calculations.run('getPhaseEnvelope', input, { signal })) as never;
  },
});
