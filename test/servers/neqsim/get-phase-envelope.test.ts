import t from 'tap';
import type { JsonObject } from '../../../src/kit/index.ts';
import { getPhaseEnvelope } from '../../../src/servers/neqsim/tools/get-phase-envelope.ts';
import { runFlash } from '../../../src/servers/neqsim/tools/run-flash.ts';
import { ask, codes } from '../../support/neqsim.ts';

const RICH = { methane: 0.66, ethane: 0.12, propane: 0.11, 'n-butane': 0.06, 'n-hexane': 0.05 };
const envelope = (args: JsonObject) => ask(getPhaseEnvelope, args);
interface Point {
  pressure_bara: number;
  temperature_K: number;
  temperature_C: number;
  type: string;
}

t.test('dew curve from low pressure, critical point, bubble curve; pressure is pressure', async (t) => {
  const answer = await envelope({ components: JSON.stringify(RICH), eos: 'PR' });
  t.match(answer, {
    status: 'success',
    model: 'PR',
    qualityGate: { verdict: 'passed' },
    validation: { valid: true, phase: 'calculation' },
    provenance: {
      calculationType: 'phase envelope (PT diagram)',
      validationsPassed: ['component_names_verified', 'phase_envelope_converged'],
    },
  });
  t.same(answer['data'].envelope, answer['envelope']);
  const points: Point[] = answer['envelope'];
  t.equal(answer['numberOfPoints'], points.length);
  t.ok(points.length >= 50);
  t.ok(points.every((point) => Math.abs(point.temperature_K - 273.15 - point.temperature_C) < 1e-9));
  t.ok(Math.abs(points[0]!.pressure_bara - 1) < 1e-6, 'begins at 1 bara');
  const types = points.map(({ type }) => type);
  t.equal(types[0], 'dewPoint');
  t.equal(types.at(-1), 'bubblePoint');
  t.equal(types.lastIndexOf('dewPoint') + 1, types.indexOf('bubblePoint'), 'one change, at the critical point');

  const { cricondenbar, cricondentherm, critical } = answer['criticalPoints'];
  t.ok(points.every((point) => point.pressure_bara <= cricondenbar.pressure_bara + 1e-6));
  t.ok(points.every((point) => point.temperature_K <= cricondentherm.temperature_K + 1e-6));
  const [before, after] = [points[types.lastIndexOf('dewPoint')]!, points[types.indexOf('bubblePoint')]!];
  const between = (a: number, x: number, b: number) => (x - a) * (x - b) <= 1e-9;
  t.ok(between(before.temperature_K, critical.temperature_K, after.temperature_K), 'the critical point lies between');
});

t.test('points of the envelope are saturation points', async (t) => {
  const { envelope: points }: { envelope: Point[] } = (await envelope({ components: RICH, eos: 'SRK' })) as never;
  for (const share of [0.1, 0.3, 0.9]) {
    const point = points[Math.floor(share * points.length)]!;
    const flashType = point.type === 'dewPoint' ? 'dewPointT' : 'bubblePointT';
    const answer = await ask(runFlash, {
      components: RICH,
      flashType,
      pressure: point.pressure_bara,
      temperature: point.temperature_K,
    });
    t.ok(
      Math.abs(answer['fluid'].conditions.temperature_K - point.temperature_K) < 1e-4,
      `${point.type} ${point.pressure_bara} bara`,
    );
  }
});

t.test('a pure component gives its vapour-pressure line up to its critical point', async (t) => {
  const answer = await envelope({ components: { propane: 1 } });
  const points: Point[] = answer['envelope'];
  const rising = points.every((point, k) => k === 0 || point.temperature_K > points[k - 1]!.temperature_K);
  t.ok(rising);
  const last = points.at(-1)!;
  t.ok(Math.abs(last.temperature_K - 369.8) < 0.5 && Math.abs(last.pressure_bara - 42.5) < 0.5);
  t.match(answer['criticalPoints'].critical, { temperature_K: last.temperature_K });
});

t.test('all models trace it, within some per cent of each other', async (t) => {
  for (const eos of ['SRK', 'PR', 'CPA', 'GERG2008', 'PCSAFT', 'UMRPRU']) {
    const answer = await envelope({ components: { methane: 0.8, propane: 0.2 }, eos });
    const { cricondenbar, cricondentherm } = answer['criticalPoints'];
    t.ok(Math.abs(cricondenbar.pressure_bara / 99 - 1) < 0.06, `${eos} ${cricondenbar.pressure_bara}`);
    t.ok(Math.abs(cricondentherm.temperature_K / 279 - 1) < 0.03, `${eos} ${cricondentherm.temperature_K}`);
  }
});

t.test('a curve without an end is said, and a point it does not have is left out', async (t) => {
  const answer = await envelope({ components: { methane: 0.5, hydrogen: 0.5 } });
  t.equal(answer['status'], 'success');
  t.ok(codes(answer).includes('CONVERGENCE_WARNING'));
  t.equal(answer['qualityGate'].verdict, 'warning');
});

t.test('every refusal has its code', async (t) => {
  const cases: readonly (readonly [JsonObject, string])[] = [
    [{ components: RICH, temperature: 300 }, 'INPUT_ERROR'],
    [{ components: '[' }, 'JSON_PARSE_ERROR'],
    [{ components: RICH, eos: 'X' }, 'UNKNOWN_MODEL'],
    [{ components: '' }, 'MISSING_COMPONENTS'],
    [{ components: { metane: 1 } }, 'UNKNOWN_COMPONENT'],
    [{ components: { methane: -1 } }, 'FLUID_ERROR'],
    [{ components: RICH, mixingRule: 'X' }, 'FLUID_ERROR'],
  ];
  for (const [args, code] of cases)
    t.match(
      await envelope(args),
      { status: 'error', code, errors: [{ code, remediation: String }] },
      JSON.stringify(args),
    );
});
