import type { Component } from '../../components/component.ts';
import { EngineError } from '../../errors.ts';
import type {
  Branch,
  EquationOfState,
  HelmholtzModel,
  HelmholtzState,
  IdealGasPart,
  SaturationLine,
  Validity,
} from '../../model.ts';
import { fromHelmholtz } from '../helmholtz-adaptor.ts';
import { type ReferenceFluid, referenceFluid } from './reference-fluid.ts';
import { A, D, DD, DT, T as TAU, TT } from './term-bank.ts';

/** A reference equation as a one-component HelmholtzModel; mole-number derivatives follow from a and rho alone. */
export class ReferenceFluidModel implements HelmholtzModel {
  readonly id = 'HELMHOLTZ' as const;
  readonly n = 1;
  readonly components: readonly Component[];
  readonly validity: Validity;
  readonly gasConstant: number;
  readonly fluid: ReferenceFluid;
  /** Absent for Air, which is pseudo-pure. */
  readonly saturationLine: SaturationLine | undefined;
  readonly idealGas: IdealGasPart;

  /** @throws EngineError 'missing-data' for a component without reference equation */
  constructor(component: Component) {
    const fluid = referenceFluid(component.name);
    this.fluid = fluid;
    this.components = [component];
    this.gasConstant = fluid.R;
    this.saturationLine = fluid.saturates
      ? {
          critical: { T: fluid.Tc, p: fluid.pc, rho: fluid.rhoc },
          pressure: (T) => fluid.saturation(T).p,
          temperature: (p) => fluid.saturationTemperature(p),
        }
      : undefined;
    this.idealGas = {
      evaluate(T, p, _x, out) {
        const R = fluid.R;
        const ideal = fluid.ideal(T);
        out.h = R * T * (ideal.t + 1);
        out.s = R * (ideal.t - ideal.phi - Math.log(p / (R * T * fluid.rhor)));
        out.cp = R * (1 - ideal.tt);
      },
    };
    this.validity = {
      minT: fluid.Ttriple,
      maxT: fluid.Tmax,
      minP: 0,
      maxP: fluid.pmax,
      status: 'validated',
      notes: ['Pure fluid. The melting line is not part of the equation.'],
      reference: fluid.reference,
    };
  }

  evaluate(T: number, rho: number, _x: Float64Array, order: 0 | 1 | 2, out: HelmholtzState): void {
    const r = this.fluid.residual(T, rho);
    const density = Math.max(rho, 1e-14);
    out.a = r[A]!;
    out.a_rho = r[D]! / density;
    out.a_rhorho = r[DD]! / (density * density);
    out.a_T = -r[TAU]! / T;
    out.a_TT = (r[TT]! + 2 * r[TAU]!) / (T * T);
    out.a_Trho = -r[DT]! / (T * density);
    if (order === 0) return;
    out.mu[0] = r[A]! + r[D]!;
    if (order === 1) return;
    out.mu_T[0] = -(r[TAU]! + r[DT]!) / T;
    out.mu_rho[0] = (2 * r[D]! + r[DD]!) / density;
    out.mu_n[0] = 2 * r[D]! + r[DD]!;
  }

  /** Not used by the density search of this model, which knows the saturation curve. */
  maxDensity(): number {
    return 4 * this.fluid.rhoc;
  }
}

/**
 * The reference equation of a pure fluid as an EquationOfState. Density outside the range of the equation is NaN.
 * @throws EngineError 'invalid-input' for a mixture, 'missing-data' for a substance without reference equation
 */
export function createReferenceFluid(components: readonly Component[]): EquationOfState {
  const [component] = components;
  if (component === undefined || components.length > 1)
    throw new EngineError({
      kind: 'invalid-input',
      field: 'components',
      reason: `a reference equation describes one substance, not ${components.map((c) => c.publicName).join(', ') || 'none'}`,
    });
  const model = new ReferenceFluidModel(component);
  const eos = fromHelmholtz(model);
  eos.density = (T: number, p: number, _x: Float64Array, branch: Branch) => {
    try {
      return model.fluid.density(T, p, branch);
    } catch (error) {
      if (error instanceof EngineError) return Number.NaN;
      throw error;
    }
  };
  return eos;
}
