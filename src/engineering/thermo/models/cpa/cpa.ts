import type { Component } from '../../components/component.ts';
import { R_CUBIC } from '../../constants.ts';
import type { EquationOfState, Validity } from '../../model.ts';
import { siteTypes } from '../association/association-sites.ts';
import { AssociationTerm } from '../association/association-term.ts';
import { soaveAlpha } from '../cubic/alpha.ts';
import { interactionMixing } from '../cubic/interaction-mixing.ts';
import { pureAttraction } from '../cubic/pure-attraction.ts';
import { SRK, srk } from '../cubic/srk.ts';
import { fromHelmholtz } from '../helmholtz-adaptor.ts';
import { CpaModel } from './cpa-model.ts';
import { type CpaMixingRule, cpaCross, cpaInteractions, cpaPure } from './cpa-parameters.ts';

/** Temperature from which the CPA volume shift grows [K], and the unit of its tabulated slope [m3/(mol K)]. */
const SHIFT_TEMPERATURE = 288.15;
const SHIFT_UNIT = 1e-5;
/** Normal boiling point [K] above which a component that takes SRK's parameters takes its volume shift too. */
const LIQUID_ABOVE = 310;

const VALIDITY: Validity = {
  minT: 200,
  maxT: 700,
  minP: 1,
  maxP: 1e8,
  status: 'validated',
  notes: [
    'Gas, oil and water with MEG or methanol: phase amounts and compositions agree with reference states of another program with the same parameters.',
    'The rule CLASSIC_TX_CPA is the one the parameters were fitted with. CLASSIC drops the temperature term of kij: gas solubility in water is then far too high.',
    'Heat capacity of liquid water is 8 to 16 % low; speed of sound of water is about 14 % high.',
    'Critical points are overestimated: water 408 C and 305 bar (true: 374 C, 221 bar), propane 105 C (97 C), methanol 263 C and 107 bar (239 C, 81 bar). Near them densities, heat capacities and phase boundaries are off.',
    'Butanols and higher alcohols, acids, ammonia and all amines but MDEA have no association parameters here and are refused; those of MDEA are not validated.',
  ],
  reference: 'Kontogeorgis et al., Ind. Eng. Chem. Res. 35 (1996) 4310 and Fluid Phase Equilib. 158-160 (1999) 201',
};

export interface CpaOptions {
  /** CLASSIC_TX_CPA: kij(T, x) (default). CLASSIC_T_CPA: kij(T). CLASSIC, CPA_MIX: constant kij. NO: kij = 0. */
  readonly mixingRule?: CpaMixingRule;
}

/**
 * SRK-CPA, the cubic-plus-association equation of state with the simplified contact value; equations in cpa-model.ts, parameters and
 * their sources in cpa-parameters.ts. The reported density carries the shift c = 0.40768 (0.29441 - ZRA) R Tc/pc + s (T - 288.15 K)
 * for components with a Rackett factor of their own for CPA (water, MEG, TEG, glycerol) and that of SRK for components that take SRK's
 * parameters and are liquids at room temperature; those with CPA parameters need none, and gases are left as other programs have them. Throws 'missing-data' and 'invalid-input' as cpaPure.
 */
export function cpa(components: readonly Component[], options: CpaOptions = {}): EquationOfState {
  const n = components.length;
  const pure = components.map(cpaPure);
  const b = Float64Array.from(pure, (p) => p.b);
  const attraction = pureAttraction(
    Float64Array.from(pure, (p) => p.a0),
    Float64Array.from(components, (c) => c.Tc),
    pure.map((p) => soaveAlpha(p.slope)),
  );
  const { pairs, missing } = cpaInteractions(components, options.mixingRule ?? 'CLASSIC_TX_CPA');
  const sites = siteTypes(pure.map((p) => p.scheme));
  const constant = new Float64Array(n);
  const slope = new Float64Array(n);
  components.forEach((c, i) => {
    if (pure[i]!.fromCriticals && !(c.Tb < LIQUID_ABOVE)) constant[i] = shiftOfSrk(c);
    if (!(c.cpa.zra > 0)) return;
    constant[i] = (SRK.shiftFactor * (SRK.shiftZ - c.cpa.zra) * R_CUBIC * c.Tc) / c.pc;
    slope[i] = (c.cpa.shiftSlope || 0) * SHIFT_UNIT;
  });
  return fromHelmholtz(
    new CpaModel({
      components,
      validity: VALIDITY,
      gasConstant: R_CUBIC,
      mixing: interactionMixing(attraction, b, pairs),
      pure,
      cross: Array.from({ length: n * n }, (_, at) => {
        const i = Math.floor(at / n);
        const j = at % n;
        return i === j ? undefined : cpaCross(components[i]!, components[j]!, pure[i]!, pure[j]!);
      }),
      association: sites.length === 0 ? undefined : new AssociationTerm(sites, 1),
      missingPairs: missing,
      shift: (T, x) => {
        let sum = 0;
        for (let i = 0; i < n; i++) sum += x[i]! * (constant[i]! + slope[i]! * (T - SHIFT_TEMPERATURE));
        return sum;
      },
    }),
  );
}

function shiftOfSrk(component: Component): number {
  return srk([component]).volumeShift(SHIFT_TEMPERATURE, Float64Array.of(1));
}
