import { type FlashResult, type Fluid, type PossibleSolid, possibleSolids } from '../../../engineering/thermo/index.ts';
import type { Warning } from '../../../kit/index.ts';

const NAMED = 5;

/** Flashes leave what would freeze in the fluid phases: said wherever a component is above the fugacity of its pure solid. */
export function solidWarnings(fluid: Fluid, result: FlashResult): Warning[] {
  const solids = possibleSolids(fluid, result);
  if (solids.length === 0) return [];
  const more = solids.length > NAMED ? ` and ${solids.length - NAMED} more` : '';
  return [
    {
      code: 'SOLID_POSSIBLE',
      severity: 'WARNING',
      message: `A solid is stabler than the fluid phases given: ${solids.slice(0, NAMED).map(described).join('; ')}${more}. The calculation leaves it in the fluid.`,
    },
  ];
}

function described({ component, publicName, supersaturation, atLeast }: PossibleSolid): string {
  const solid = component === 'water' ? 'water (ice)' : component === 'CO2' ? 'CO2 (dry ice)' : publicName;
  const ratio = supersaturation < 1e4 ? supersaturation.toPrecision(3) : supersaturation.toExponential(1);
  return `${solid}, with ${atLeast ? 'at least ' : ''}${ratio} times the fugacity of its pure solid`;
}
