import { z } from 'zod';
import { defineTool } from '../../../kit/index.ts';
import { CORE_CALCULATION } from '../access.ts';
import type {} from '../calculations.ts';
import { flashInput } from '../flash/request.ts';

export const flashOutput = z.looseObject({
  flash: z.object({
    model: z.string(),
    flashType: z.string(),
    numberOfPhases: z.int(),
    phases: z.array(z.string()),
    phaseFractions: z.record(z.string(), z.number()),
  }),
  fluid: z.looseObject({}),
});

export const runFlash = defineTool({
  name: 'runFlash',
  title: 'Flash calculation',
  description:
    'Phases, compositions and properties of a mixture: at T and p (TP), at given enthalpy (PH), entropy (PS) or volume (TV), at a dew or bubble point, or with gas hydrate and ice (hydrateTP). T in K and p in bara unless the unit arguments say otherwise. Molar amounts are normalised.',
  access: CORE_CALCULATION,
  input: flashInput,
  output: flashOutput,
  reads: [],
  writes: [],
  needs: ['calculations'],
  async run({ use, signal }, input) {
    return (await use.calculations.run('runFlash', input, { signal })) as never;
  },
});
