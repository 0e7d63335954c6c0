import { z } from 'zod';
import { defineTool } from '../../../kit/index.ts';
import { ADVANCED_CALCULATION } from '../access.ts';
import { batchInput } from '../batch/request.ts';
import type {} from '../calculations.ts';

export const runBatch = defineTool({
  name: 'runBatch',
  title: 'Batch of flash calculations',
  description:
    'Up to 500 flash calculations over one base request, for example a sweep. Each case overrides fields of runFlash; a case that fails is reported and the others stand.',
  access: ADVANCED_CALCULATION,
  input: batchInput,
  output: z.looseObject({
    operationStatus: z.enum(['success', 'partial']),
    summary: z.object({
      totalCases: z.int(),
      succeeded: z.int(),
      failed: z.int(),
      failedCaseIndices: z.array(z.int()).optional(),
    }),
    detail: z.string(),
    results: z.array(z.looseObject({ caseIndex: z.int(), status: z.enum(['success', 'error']) })),
  }),
  reads: [],
  writes: [],
  needs: ['calculations'],
  async run({ use, signal, deadline, progress }, input) {
    return (await use.calculations.run('runBatch', input, { signal, deadline, progress })) as never;
  },
});
