/**
 * States far outside every use: T 1 to 3000 K, p 1e-3 to 1e9 Pa, components down to 1e-300 and absent. A model gives numbers, no root (NaN density) or a typed failure; a flash
 * gives a result that sums to one or a typed failure.
 */
import fc from 'fast-check';
import t, { type Test } from 'tap';
import {
  createFluid,
  createModel,
  flashTP,
  getComponent,
  isEngineError,
  type ModelId,
} from '../../../../src/engineering/thermo/index.ts';
import {
  createLnPhiDerivatives,
  createResidual,
  type EquationOfState,
} from '../../../../src/engineering/thermo/model.ts';

interface Subject {
  readonly model: ModelId;
  readonly names: readonly string[];
  readonly options?: { readonly mixingRule?: string; readonly alpha?: string };
}

const SUBJECTS: readonly Subject[] = [
  { model: 'SRK', names: ['methane', 'n-heptane', 'CO2', 'water', 'hydrogen'] },
  { model: 'PR', names: ['methane', 'n-heptane', 'CO2', 'water', 'helium'] },
  { model: 'PR', names: ['methane', 'n-heptane', 'CO2', 'water'], options: { alpha: 'twu' } },
  { model: 'SRK', names: ['methane', 'n-heptane', 'CO2', 'water'], options: { alpha: 'mathias-copeman' } },
  { model: 'SRK', names: ['methane', 'CO2', 'water', 'methanol'], options: { mixingRule: 'HV' } },
  { model: 'PR', names: ['methane', 'CO2', 'water', 'methanol'], options: { mixingRule: 'CLASSIC_T' } },
  { model: 'PR', names: ['methanol', 'ethanol', 'water'], options: { mixingRule: 'WS' } },
  { model: 'UMRPRU', names: ['methane', 'n-heptane', 'CO2', 'water'] },
  { model: 'CPA', names: ['methane', 'n-heptane', 'CO2', 'water', 'MEG'] },
  { model: 'CPA', names: ['water'] },
  { model: 'PCSAFT', names: ['methane', 'nC10', 'CO2', 'nitrogen'] },
  { model: 'PCSAFT', names: ['methane', 'water', 'methanol', 'H2S'] },
  { model: 'GERG2008', names: ['methane', 'CO2', 'nitrogen', 'n-butane', 'water', 'hydrogen'] },
  { model: 'AGA8', names: ['methane', 'CO2', 'nitrogen', 'n-butane'] },
  { model: 'IF97', names: ['water'] },
  { model: 'HELMHOLTZ', names: ['CO2'] },
];

const label = ({ model, names, options }: Subject) =>
  [model, ...Object.values(options ?? {}), `of ${names.join(', ')}`].join(' ');

const logTemperature = fc.double({ min: 0, max: Math.log10(3000), noNaN: true });
const logPressure = fc.double({ min: -3, max: 9, noNaN: true });
const amount = fc.oneof(
  fc.constant(0),
  fc.double({ min: -300, max: 0, noNaN: true }).map((exponent) => 10 ** exponent),
  fc.double({ min: -12, max: 0, noNaN: true }).map((exponent) => 10 ** exponent),
  fc.double({ min: 1e-3, max: 1, noNaN: true }),
);

function amounts(n: number) {
  return fc
    .array(amount, { minLength: n, maxLength: n })
    .map((raw) => (raw.some((value) => value > 1e-12) ? raw : raw.map((value, i) => (i === 0 ? 1 : value))));
}

function checkState(t: Test, eos: EquationOfState, T: number, p: number, x: Float64Array): void {
  const { n } = eos;
  const derivatives = createLnPhiDerivatives(n);
  const residual = createResidual();
  const lnPhi = new Float64Array(n);
  for (const branch of ['vapour', 'liquid', 'stable'] as const) {
    const where = `${eos.id} ${branch} at ${T} K, ${p} Pa, ${[...x]}`;
    try {
      const rho = eos.lnPhi(T, p, x, branch, lnPhi);
      if (Number.isNaN(rho)) continue;
      t.ok(rho > 0 && Number.isFinite(rho) && lnPhi.every(Number.isFinite), where);
      if (Number.isNaN(eos.lnPhiDerivatives(T, p, x, branch, derivatives))) continue;
      for (const part of ['lnPhi', 'dT', 'dp', 'dn'] as const)
        t.ok(derivatives[part].every(Number.isFinite), `${part} of ${where}`);
      eos.residual(T, rho, x, residual);
      t.ok(Object.values(residual).every(Number.isFinite), `residual properties of ${where}`);
    } catch (error) {
      t.ok(isEngineError(error), `${where}: ${error}`);
    }
  }
}

for (const subject of SUBJECTS)
  t.test(`${label(subject)} gives numbers, no root or a typed failure`, async (t) => {
    const eos = createModel(subject.model, subject.names.map(getComponent), subject.options);
    fc.assert(
      fc.property(logTemperature, logPressure, amounts(eos.n), (lgT, lgp, raw) => {
        const total = raw.reduce((a, b) => a + b, 0);
        checkState(
          t,
          eos,
          10 ** lgT,
          10 ** lgp,
          Float64Array.from(raw, (value) => value / total),
        );
      }),
      { numRuns: 150, seed: 41 },
    );
  });

t.test('a model that refused a temperature is right again at the next', async (t) => {
  for (const { model, names, options } of SUBJECTS) {
    const eos = createModel(model, names.map(getComponent), options);
    const fresh = createModel(model, names.map(getComponent), options);
    const x = new Float64Array(eos.n).fill(1 / eos.n);
    const [a, b] = [new Float64Array(eos.n), new Float64Array(eos.n)];
    for (const T of [1.5, 1.5, 4])
      try {
        eos.lnPhi(T, 1e5, x, 'liquid', a);
      } catch (error) {
        t.ok(isEngineError(error), `${model}: ${error}`);
      }
    const rho = eos.lnPhi(320, 1e5, x, 'stable', a);
    const expected = fresh.lnPhi(320, 1e5, x, 'stable', b);
    t.ok(Math.abs(rho / expected - 1) < 1e-9, `${model}: ${rho}, ${expected}`);
    for (let i = 0; i < eos.n; i++) t.ok(Math.abs(a[i]! - b[i]!) < 1e-8);
  }
});

t.test('association is solved down to 60 K', async (t) => {
  const eos = createModel('CPA', ['CO2', 'water', 'MEG'].map(getComponent));
  const lnPhi = new Float64Array(3);
  for (let T = 60; T < 200; T += 5)
    for (const p of [1e-3, 1e5, 1e8])
      for (const branch of ['vapour', 'liquid'] as const)
        for (const x of [
          [0.4, 0.3, 0.3],
          [1e-12, 1, 1e-9],
        ]) {
          const rho = eos.lnPhi(T, p, Float64Array.from(x), branch, lnPhi);
          t.ok(rho > 0 && lnPhi.every(Number.isFinite), `${T} K ${p} Pa ${branch} ${x}`);
        }
});

function checkFlash(t: Test, subject: Subject, components: Readonly<Record<string, number>>, T: number, p: number) {
  const where = `${label(subject)} at ${T} K, ${p} Pa, ${JSON.stringify(components)}`;
  try {
    const { phases } = flashTP(createFluid({ components, model: subject.model, ...subject.options }), T, p);
    const sum = phases.reduce((total, phase) => total + phase.fraction, 0);
    t.ok(Math.abs(sum - 1) < 1e-9, where);
    for (const { x } of phases) t.ok(x.every(Number.isFinite), `compositions of ${where}`);
  } catch (error) {
    t.ok(isEngineError(error), `${where}: ${error}`);
  }
}

t.test('a state where derivatives are not finite ends with a result or a typed failure', async (t) => {
  const components = { helium: 9.7e-12, hydrogen: 3.2e-289, ethane: 1, 'n-heptane': 4.9e-51, nC20: 8.5e-46 };
  for (const model of ['SRK', 'PR'] as const)
    for (const [T, p] of [
      [1, 1e-4],
      [1, 1e5],
      [9000, 1e-4],
    ] as const)
      checkFlash(t, { model, names: Object.keys(components) }, components, T, p);
});

t.test('a flash gives a result that sums to one or a typed failure', async (t) => {
  for (const subject of SUBJECTS)
    fc.assert(
      fc.property(logTemperature, logPressure, amounts(subject.names.length), (lgT, lgp, raw) => {
        const components = Object.fromEntries(subject.names.map((name, i) => [name, raw[i]!]));
        checkFlash(t, subject, components, 10 ** lgT, 10 ** lgp);
      }),
      { numRuns: 12, seed: 43 },
    );
});
