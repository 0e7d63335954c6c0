import { EngineError } from '../errors.ts';
import type { EquationOfState } from '../model.ts';

/** Density that pure liquid water has in every model fit for the purpose [mol/m3]; steam is far below. */
const LEAST_LIQUID_DENSITY = 2e4;

/**
 * ln of the fugacity [Pa] of pure liquid water, undercooled below the ice point, at T [K], p [Pa]; `water` is its index. Throws 'spec-unreachable' where the model
 * has no liquid water.
 */
export function lnPureWaterFugacity(eos: EquationOfState, water: number, T: number, p: number): number {
  const x = new Float64Array(eos.n);
  x[water] = 1;
  const lnPhi = new Float64Array(eos.n);
  const rho = eos.lnPhi(T, p, x, 'liquid', lnPhi);
  if (!(rho > LEAST_LIQUID_DENSITY))
    throw new EngineError({
      kind: 'spec-unreachable',
      specification: `a hydrate at ${T} K, ${p} Pa`,
      reason: 'the model has no liquid water there',
    });
  return Math.log(p) + lnPhi[water]!;
}

/** Throws 'invalid-input' for a model that does not describe an aqueous phase. */
export function requireAqueousModel(eos: EquationOfState): void {
  if (eos.id === 'AGA8' || eos.id === 'GERG2008')
    throw new EngineError({
      kind: 'invalid-input',
      field: 'model',
      reason: `${eos.id} does not describe the aqueous phase beside a hydrate; use CPA, SRK or PR`,
    });
}
