import fc from 'fast-check';
import t from 'tap';
import { createFluid, flashTP } from '../../../../src/engineering/thermo/index.ts';
import { engineErrorOf } from '../engine-error-of.ts';
import { FLUIDS } from '../fluids.ts';

t.test('heat capacity, entropy, Joule-Thomson and compressibility are the derivatives they claim to be', async (t) => {
  let checked = 0;
  const cases = ['leanGas', 'oil', 'carbonDioxide'].flatMap((name) =>
    (['SRK', 'PR'] as const).map((model) => createFluid({ components: FLUIDS[name]!, model })),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...cases),
      fc.double({ min: 280, max: 600, noNaN: true }),
      fc.double({ min: 5, max: 7.7, noNaN: true }),
      (fluid, T, lgp) => {
        const p = 10 ** lgp;
        const at = (dT: number, dp: number) => flashTP(fluid, T * (1 + dT), p * (1 + dp)).phases;
        const h = 1e-4;
        const [mid, hot, cold, high, low] = [at(0, 0), at(h, 0), at(-h, 0), at(0, h), at(0, -h)];
        fc.pre([mid, hot, cold, high, low].every((phases) => phases.length === 1));
        const s = mid[0]!;
        const dT = (value: (phase: typeof s) => number) => (value(hot[0]!) - value(cold[0]!)) / (2 * h * T);
        const dp = (value: (phase: typeof s) => number) => (value(high[0]!) - value(low[0]!)) / (2 * h * p);
        const close = (what: string, a: number, b: number, scale: number) => {
          if (!(Math.abs(a - b) <= 2e-4 * scale)) throw new Error(`${what}: ${a} and ${b}`);
        };
        close(
          'cp = dh/dT',
          s.cp,
          dT((q) => q.enthalpy),
          s.cp,
        );
        close('cp = T ds/dT', s.cp, T * dT((q) => q.entropy), s.cp);
        close(
          '-s = dg/dT',
          -s.entropy,
          dT((q) => q.gibbsEnergy),
          10 + Math.abs(s.entropy),
        );
        close(
          'v = dg/dp',
          1 / s.rho,
          dp((q) => q.gibbsEnergy),
          1 / s.rho,
        );
        close(
          'JT = -(dh/dp)/cp',
          s.jouleThomson * s.cp,
          -dp((q) => q.enthalpy),
          1 / s.rho + Math.abs(s.jouleThomson * s.cp),
        );
        close(
          'kappa',
          s.isothermalCompressibility,
          dp((q) => Math.log(q.rho)),
          s.isothermalCompressibility,
        );
        close('alpha', s.thermalExpansion, -dT((q) => Math.log(q.rho)), Math.abs(s.thermalExpansion));
        // w^2 = (dp/drho_mass) at constant entropy, from kappa, alpha and cp by Maxwell's relations.
        const v = 1 / s.rho;
        const kappaS = s.isothermalCompressibility - (T * v * s.thermalExpansion ** 2) / s.cp;
        close('w', s.speedOfSound ** 2, v / (kappaS * s.molarMass), s.speedOfSound ** 2);
        close('A = U - TS', s.helmholtzEnergy, s.internalEnergy - T * s.entropy, Math.abs(s.helmholtzEnergy) + 1);
        checked++;
      },
    ),
    { numRuns: 300, seed: 9 },
  );
  t.ok(checked >= 300);
});

t.test('the caloric zeros are those stated', async (t) => {
  const fluid = createFluid({ components: { methane: 1 }, model: 'SRK' });
  // Nearly ideal: enthalpy and entropy vanish at 273.15 K; entropy falls by R ln(p/p0).
  const thin = flashTP(fluid, 273.15, 10).phases[0]!;
  t.ok(Math.abs(thin.enthalpy) < 0.01);
  t.ok(Math.abs(thin.entropy + 8.3144621 * Math.log(10 / 101325)) < 1e-4);
});

t.test('mixture values are the sums over the phases', async (t) => {
  const r = flashTP(createFluid({ components: FLUIDS['wetGas']!, model: 'SRK' }), 290, 60e5);
  t.same(
    r.phases.map((phase) => phase.name),
    ['gas', 'oil', 'aqueous'],
  );
  const sum = (value: (phase: (typeof r.phases)[number]) => number) => r.phases.reduce((a, b) => a + value(b), 0);
  t.ok(Math.abs(sum((q) => q.fraction) - 1) < 1e-12);
  t.ok(Math.abs(sum((q) => q.massFraction) - 1) < 1e-12);
  t.ok(Math.abs(sum((q) => q.massFraction / q.density) - 1 / r.overall.density) < 1e-12);
  t.ok(Math.abs(sum((q) => q.fraction * q.enthalpy) - r.overall.enthalpy) < 1e-9);
});

t.test('a missing heat capacity stops properties, not the phase split', async (t) => {
  t.equal(
    engineErrorOf(() => flashTP(createFluid({ components: { methane: 0.9, styrene: 0.1 }, model: 'SRK' }), 300, 1e5))
      .kind,
    'missing-data',
  );
});
