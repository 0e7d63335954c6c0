import fc from 'fast-check';
import t from 'tap';
import { isEngineError } from '../../../../../src/engineering/thermo/errors.ts';
import { createLnPhiDerivatives, createResidual } from '../../../../../src/engineering/thermo/model.ts';
import { referenceFluid } from '../../../../../src/engineering/thermo/models/helmholtz/reference-fluid.ts';
import {
  backwardTph1,
  backwardTph2,
  backwardTps1,
  backwardTps2,
  P_13,
} from '../../../../../src/engineering/thermo/models/if97/backward.ts';
import {
  boundary23Pressure,
  boundary23Temperature,
  steamRegion,
  steamSaturationPressure,
  steamSaturationTemperature,
} from '../../../../../src/engineering/thermo/models/if97/boundaries.ts';
import { gibbsState } from '../../../../../src/engineering/thermo/models/if97/gibbs-regions.ts';
import { createIf97, stateAtDensity } from '../../../../../src/engineering/thermo/models/if97/if97-eos.ts';
import { region3Density, region3State } from '../../../../../src/engineering/thermo/models/if97/region3.ts';
import {
  steamAtPh,
  steamAtPs,
  steamSaturation,
  steamState,
} from '../../../../../src/engineering/thermo/models/if97/steam.ts';
import type { SteamState } from '../../../../../src/engineering/thermo/models/if97/steam-state.ts';
import {
  waterConductivity,
  waterViscosity,
} from '../../../../../src/engineering/thermo/models/if97/water-transport.ts';
import { type PublishedCase, publishedCases } from '../../published-cases.ts';

function steamValue(c: PublishedCase): number {
  const { T_K, p_MPa, h_kJ_kg, rho_kg_m3 } = c.input;
  switch (c.what) {
    case 'saturation pressure':
      return steamSaturationPressure(T_K!) / 1e6;
    case 'saturation temperature':
      return steamSaturationTemperature(p_MPa! * 1e6);
    case 'temperature from p and h': {
      // The verification tables give the backward equations themselves, not the exact inverse.
      const h = h_kJ_kg! * 1e3;
      const p = p_MPa! * 1e6;
      return h < 1.7e6 ? backwardTph1(p, h) : backwardTph2(p, h);
    }
  }
  const state = rho_kg_m3 === undefined ? steamState(T_K!, p_MPa! * 1e6) : region3State(T_K!, rho_kg_m3);
  switch (c.what) {
    case 'specific volume':
      return state.v;
    case 'specific enthalpy':
      return state.h / 1e3;
    case 'specific entropy':
      return state.s / 1e3;
    case 'isobaric heat capacity':
      return state.cp / 1e3;
    case 'speed of sound':
      return state.w;
    case 'pressure':
      return state.p / 1e6;
    default:
      throw new Error(`no property '${c.what}'`);
  }
}

/** A point in one of the regions 1, 2, 3 and 5. */
const point = fc
  .record({ T: fc.double({ min: 273.16, max: 2200, noNaN: true }), logP: fc.double({ min: 3, max: 8, noNaN: true }) })
  .map(({ T, logP }) => ({ T, p: Math.min(10 ** logP, T > 1073.15 ? 50e6 : 100e6) }));

t.test('verification tables of the release', async (t) => {
  for (const c of publishedCases('iapws.jsonl').filter((k) => !k.what.includes('IAPWS-95'))) {
    const value = steamValue(c);
    t.ok(Math.abs(value - c.expect.value) <= c.expect.tol, `${c.id} ${c.what}: ${value} for ${c.expect.value}`);
  }
  // Tables 9, 29 and 42 of the release, beyond the copied cases.
  t.ok(Math.abs(backwardTps1(3e6, 500) - 307.842258) < 1e-6);
  t.ok(Math.abs(backwardTps2(0.1e6, 7500) - 399.517097) < 1e-6);
  t.ok(Math.abs(backwardTps2(8e6, 6000) - 600.48404) < 1e-6);
  t.ok(Math.abs(backwardTps2(80e6, 5750) - 949.017998) < 1e-6);
  const hot = steamState(1500, 0.5e6);
  t.ok(Math.abs(hot.v - 1.3845509) < 1e-8);
  t.ok(Math.abs(hot.h - 5219768.55) < 0.01);
  t.ok(Math.abs(hot.w - 917.06869) < 1e-4);
});

t.test('boundary 2/3 and the saturation line are their own inverses', async () => {
  fc.assert(
    fc.property(fc.double({ min: 623.15, max: 863.15, noNaN: true }), (T) => {
      return Math.abs(boundary23Temperature(boundary23Pressure(T)) - T) < 1e-6;
    }),
  );
  fc.assert(
    fc.property(fc.double({ min: 273.15, max: 647.09, noNaN: true }), (T) => {
      return Math.abs(steamSaturationTemperature(steamSaturationPressure(T)) - T) < 1e-8;
    }),
  );
});

const gap = (a: SteamState, b: SteamState) =>
  Math.max(Math.abs(a.v / b.v - 1), Math.abs(a.h - b.h) / 3e6, Math.abs(a.s - b.s) / 6e3, Math.abs(a.g - b.g) / 1e6);

t.test('properties are continuous across the region boundaries within the consistency of the release', async (t) => {
  for (let p = P_13; p <= 100e6; p += 2e6) {
    const inside = region3State(623.15, region3Density(623.15, p, 'liquid'));
    const difference = gap(gibbsState(1, 623.15, p), inside);
    t.ok(difference < 5e-4, `1/3 at ${p}: ${difference}`);
  }
  for (let T = 624; T <= 863; T += 8) {
    const p = boundary23Pressure(T);
    const phase = T < 647.096 ? 'vapour' : 'liquid';
    const difference = gap(gibbsState(2, T, p), region3State(T, region3Density(T, p, phase)));
    t.ok(difference < 5e-4, `2/3 at ${T}: ${difference}`);
  }
  for (let p = 1e6; p <= 50e6; p += 7e6) {
    const difference = gap(gibbsState(2, 1073.15, p), gibbsState(5, 1073.15, p));
    t.ok(difference < 5e-4, `2/5 at ${p}: ${difference}`);
  }
  for (let T = 274; T <= 623; T += 10) {
    const { liquid, vapour } = steamSaturation(T);
    t.ok(Math.abs(liquid.g - vapour.g) / (461.526 * T) < 1e-4, `Gibbs energy across saturation at ${T}`);
  }
});

t.test('identities between properties hold in every region', async () => {
  fc.assert(
    fc.property(point, ({ T, p }) => {
      const s = steamState(T, p);
      const near = (a: number, b: number, tol: number, what: string) => {
        if (Math.abs(a - b) > tol * (Math.abs(a) + Math.abs(b))) throw new Error(`${what}: ${a} ${b}`);
      };
      near(s.p, p, 1e-9, 'pressure');
      near(s.h, s.u + p * s.v, 1e-9, 'h = u + pv');
      near(s.g, s.h - T * s.s, 1e-9, 'g = h - Ts');
      near(s.cp - s.cv, (T * s.dpdT * s.dpdT * s.drhodp) / (s.rho * s.rho), 1e-8, 'cp - cv');
      near(s.w * s.w, s.cp / s.cv / s.drhodp, 1e-9, 'w2');
      // cp by differences of h, away from a region boundary.
      const dT = 1e-4 * T;
      if (T < 2200 && T > 275 && steamRegion(T + dT, p) === s.region && steamRegion(T - dT, p) === s.region) {
        const cp = (steamState(T + dT, p).h - steamState(T - dT, p).h) / (2 * dT);
        if (s.cp < 2e4) near(cp, s.cp, 1e-4, 'cp by differences');
      }
      return true;
    }),
    { numRuns: 300 },
  );
});

t.test('PH and PS states reproduce T, p', async () => {
  fc.assert(
    fc.property(point, ({ T, p }) => {
      const s = steamState(T, p);
      for (const found of [steamAtPh(p, s.h), steamAtPs(p, s.s)]) {
        if (found.phase !== 'single') throw new Error(`two-phase at ${T} ${p}`);
        // Within 25 mK of a boundary the equations of both sides may claim the state.
        if (Math.abs(found.state.T - T) > (found.state.region === s.region ? 1e-6 : 0.05))
          throw new Error(`${found.state.T} for ${T} at ${p}, regions ${found.state.region} ${s.region}`);
      }
      return true;
    }),
    { numRuns: 300 },
  );
});

t.test('two-phase PH and PS states give the quality they were made with', async () => {
  fc.assert(
    fc.property(
      fc.double({ min: 274, max: 646.9, noNaN: true }),
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      (T, x) => {
        const { p, liquid, vapour } = steamSaturation(T);
        const byH = steamAtPh(p, liquid.h + x * (vapour.h - liquid.h));
        const byS = steamAtPs(p, liquid.s + x * (vapour.s - liquid.s));
        if (byH.phase !== 'two-phase' || byS.phase !== 'two-phase') throw new Error(`single phase at ${T} ${x}`);
        return Math.abs(byH.quality - x) < 1e-6 && Math.abs(byS.quality - x) < 1e-6 && Math.abs(byH.T - T) < 1e-6;
      },
    ),
    { numRuns: 200 },
  );
});

t.test('agrees with IAPWS-95 within the uncertainty of both', async () => {
  const water = referenceFluid('water');
  fc.assert(
    fc.property(
      fc.double({ min: 280, max: 1070, noNaN: true }),
      fc.double({ min: 3, max: 8, noNaN: true }),
      (T, logP) => {
        const p = 10 ** logP;
        fc.pre(Math.abs(T - 647) > 15 || Math.abs(p - 22e6) > 8e6);
        if (T < 647) fc.pre(Math.abs(p / steamSaturationPressure(T) - 1) > 1e-3);
        const s = steamState(T, p);
        const r = water.properties(T, water.density(T, p));
        if (Math.abs((r.rho * water.M) / s.rho - 1) > 1e-3) throw new Error(`density ${s.rho} ${r.rho * water.M}`);
        if (Math.abs(r.h / water.M - s.h) > 2000) throw new Error(`h ${s.h} ${r.h / water.M}`);
        return Math.abs(r.w / s.w - 1) < 0.01;
      },
    ),
    { numRuns: 200 },
  );
});

t.test('as an equation of state: fugacities meet on the saturation line, derivatives and residual agree', async (t) => {
  const eos = createIf97();
  const x = new Float64Array([1]);
  const v = new Float64Array(1);
  const l = new Float64Array(1);
  const p = steamSaturationPressure(450);
  const rhoV = eos.lnPhi(450, p, x, 'vapour', v);
  const rhoL = eos.lnPhi(450, p, x, 'liquid', l);
  t.ok(rhoL > 100 * rhoV);
  t.ok(Math.abs(v[0]! - l[0]!) < 1e-4);
  fc.assert(
    fc.property(point, ({ T, p }) => {
      const region = steamRegion(T, p);
      fc.pre(T > 275 && T < 2199 && p < 49e6);
      fc.pre([1 - 1e-4, 1 + 1e-4].every((k) => steamRegion(T * k, p) === region && steamRegion(T, p * k) === region));
      const d = createLnPhiDerivatives(1);
      const rho = eos.lnPhiDerivatives(T, p, x, 'stable', d);
      const at = (T2: number, p2: number) => {
        eos.lnPhi(T2, p2, x, 'stable', v);
        return v[0]!;
      };
      const dT = (at(T * (1 + 1e-5), p) - at(T * (1 - 1e-5), p)) / (2e-5 * T);
      const dp = (at(T, p * (1 + 1e-5)) - at(T, p * (1 - 1e-5))) / (2e-5 * p);
      if (Math.abs(dT - d.dT[0]!) * T > 1e-5) throw new Error(`dT ${dT} ${d.dT[0]}`);
      if (Math.abs(dp - d.dp[0]!) * p > 1e-5) throw new Error(`dp ${dp} ${d.dp[0]}`);
      const r = createResidual();
      eos.residual(T, rho, x, r);
      const z = p / (rho * eos.gasConstant * T);
      return (
        Math.abs(r.p / p - 1) < 1e-6 &&
        Math.abs(r.a / (eos.gasConstant * T) + z - 1 - Math.log(z) - d.lnPhi[0]!) < 1e-6 &&
        Math.abs(r.a - (r.u - T * r.s)) < 1e-6 * (Math.abs(r.u) + 1)
      );
    }),
    { numRuns: 150 },
  );
});

t.test('viscosity and conductivity verification values', async (t) => {
  // R12-08 Table 4 (without enhancement) and R15-11 Table 4 (without); the cases of transport.jsonl are run elsewhere.
  t.ok(Math.abs(waterViscosity(298.15, 998) * 1e6 - 889.7351) < 1e-4);
  t.ok(Math.abs(waterViscosity(873.15, 600) * 1e6 - 77.430195) < 1e-5);
  // R12-08 Table 5: with enhancement near the critical point, derivatives from IAPWS-95.
  const water = referenceFluid('water');
  for (const [rho, mu] of [
    [122, 25.520677],
    [222, 31.337589],
    [322, 42.961579],
    [422, 49.436256],
  ] as const) {
    const s = water.properties(647.35, rho / water.M);
    const value = waterViscosity(647.35, rho, water.M / s.dpdrho) * 1e6;
    t.ok(Math.abs(value - mu) < 2e-6 * mu, `${rho}: ${value} for ${mu}`);
  }
  // R15-11 Table 5: 647.35 K.
  for (const [rho, lambda] of [
    [122, 130.922885],
    [222, 367.787459],
    [322, 1443.75556],
    [422, 448.883487],
  ] as const) {
    const s = water.properties(647.35, rho / water.M);
    const value =
      waterConductivity(647.35, rho, { drhodp: water.M / s.dpdrho, cp: s.cp / water.M, cv: s.cv / water.M }) * 1e3;
    t.ok(Math.abs(value - lambda) < 1e-6 * lambda, `${rho}: ${value} for ${lambda}`);
  }
});

t.test('states outside the formulation are refused', async (t) => {
  const kind = (call: () => unknown) => {
    try {
      call();
      return 'no error';
    } catch (error) {
      return isEngineError(error) ? error.kind : String(error);
    }
  };
  const calls: readonly (() => unknown)[] = [
    () => steamState(270, 1e5),
    () => steamState(300, 101e6),
    () => steamState(1500, 60e6),
    () => steamState(Number.NaN, 1e5),
    () => steamSaturationPressure(650),
    () => steamSaturationTemperature(23e6),
    () => steamAtPh(1e5, -1e5),
    () => steamAtPh(1e5, 9e6),
    () => steamAtPs(100, 5000),
    () => stateAtDensity(450, 100),
    () => stateAtDensity(300, 1200),
  ];
  for (const call of calls) t.equal(kind(call), 'outside-range', String(call));
});
