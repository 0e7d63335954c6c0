import { z } from 'zod';
import {
  type EnvelopeCriticalPoint,
  isEngineError,
  type PhaseEnvelope,
  phaseEnvelope,
  type TemperaturePressure,
} from '../../../engineering/thermo/index.ts';
import { type JsonObject, success, ToolError, type Warning } from '../../../kit/index.ts';
import type { CalculationAnswer, CalculationControl } from '../calculation.ts';
import { asToolError } from '../engine-errors.ts';
import { calculationOf } from '../flash/answer.ts';
import { missedCriticalPoints } from '../flash/pure-checks.ts';
import { fluidWarnings } from '../flash/warnings.ts';
import { type BuiltFluid, buildFluid, fluidArguments, readFluid } from '../fluid.ts';
import { toBara, toCelsius } from '../units.ts';

/** getPhaseEnvelope: dew curve from low pressure through the critical point to the bubble curve. */
export const envelopeInput = z.strictObject(fluidArguments);
export type EnvelopeInput = z.output<typeof envelopeInput>;

export function envelopeAnswer(input: Partial<EnvelopeInput>, control: CalculationControl): CalculationAnswer {
  const built = buildFluid(readFluid(input));
  control.checkpoint();
  const envelope = trace(built);
  const { points, criticalPoints } = envelope;
  const critical = criticalPoints[0];
  return success(
    {
      model: built.model,
      numberOfPoints: points.length,
      envelope: points.map(({ T, p, kind, stable }) => ({
        ...place({ T, p }),
        type: kind === 'bubble' ? 'bubblePoint' : 'dewPoint',
        ...(stable === false ? { stable: false } : {}),
      })),
      criticalPoints: {
        ...(envelope.cricondenbar === undefined ? {} : { cricondenbar: place(envelope.cricondenbar) }),
        ...(envelope.cricondentherm === undefined ? {} : { cricondentherm: place(envelope.cricondentherm) }),
        ...(critical === undefined ? {} : { critical: placeCritical(critical) }),
        ...(criticalPoints.length > 1 ? { furtherCritical: criticalPoints.slice(1).map(placeCritical) } : {}),
      },
    },
    {
      warnings: [...fluidWarnings(built), ...missedCriticalPoints(built), ...envelopeWarnings(envelope)],
      provenance: {
        calculation: {
          ...calculationOf(built, null),
          type: 'phase envelope (PT diagram)',
          converged: points.length > 0,
          validationsPassed: ['component_names_verified', ...(points.length > 0 ? ['phase_envelope_converged'] : [])],
          assumptions: [
            ...built.assumptions,
            'Traced from 1 bara by continuation; every point has equal fugacities in the feed and in an incipient phase.',
          ],
          limitations: [...built.fluid.eos.validity.notes],
          phase: 'calculation',
        },
      },
    },
  );
}

const NO_ENVELOPE: PhaseEnvelope = {
  points: [],
  curves: [],
  criticalPoints: [],
  cricondenbar: undefined,
  cricondentherm: undefined,
};

/** A mixture without any saturation point at 1 bara has an empty envelope, which is said; everything else that fails is an error. */
function trace({ fluid }: BuiltFluid): PhaseEnvelope {
  try {
    return phaseEnvelope(fluid);
  } catch (error) {
    if (isEngineError(error, 'spec-unreachable')) return NO_ENVELOPE;
    const shown = asToolError(error);
    if (shown instanceof ToolError && shown.code === 'FLASH_ERROR') {
      throw new ToolError('CALCULATION_ERROR', { message: shown.message });
    }
    throw shown;
  }
}

const place = ({ T, p }: TemperaturePressure): JsonObject => ({
  pressure_bara: toBara(p),
  temperature_K: T,
  temperature_C: toCelsius(T),
});

const placeCritical = (point: EnvelopeCriticalPoint): JsonObject => ({
  ...place(point),
  ...(point.stable === false ? { stable: false } : {}),
});

function envelopeWarnings({ points, curves, cricondenbar, cricondentherm }: PhaseEnvelope): Warning[] {
  const warn = (code: string, message: string, severity: Warning['severity'] = 'WARNING'): Warning => ({
    code,
    severity,
    message,
  });
  if (points.length === 0) {
    return [
      warn('CONVERGENCE_WARNING', 'No dew or bubble point was found at 1 bara, so there is no envelope to trace.'),
    ];
  }
  const out: Warning[] = [];
  const open = curves.filter(({ end }) => end !== 'minimum pressure' && end !== 'critical point');
  for (const { end } of open) {
    out.push(warn('CONVERGENCE_WARNING', `A curve of the envelope does not come back to 1 bara; it ends at: ${end}.`));
  }
  const missing = [
    ...(cricondenbar === undefined ? ['cricondenbar'] : []),
    ...(cricondentherm === undefined ? ['cricondentherm'] : []),
  ];
  if (missing.length > 0) {
    out.push(
      warn('CONVERGENCE_WARNING', `The curve traced has no ${missing.join(' and no ')}, so the field is left out.`),
    );
  }
  const unstable = points.filter(({ stable }) => stable === false).length;
  if (unstable > 0) {
    out.push(
      warn(
        'TWO_PHASE_UNCERTAINTY',
        `At ${unstable} of ${points.length} points the mixture already has other phases (stable: false), for example two liquids; there the curve is no visible boundary.`,
        'CAUTION',
      ),
    );
  }
  return out;
}
