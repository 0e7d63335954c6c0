import type { JsonObject } from '../../kit/index.ts';

/** The `autoValidation` block: findings of the engineering rules, and the checks of this very calculation (contract, section 9). */
export interface Finding {
  readonly code: string;
  readonly severity: 'ERROR' | 'WARNING' | 'INFO';
  readonly message: string;
  readonly remediation: string;
}

export interface Check {
  readonly rule: string;
  readonly status: 'PASS' | 'WARNING' | 'FAIL';
  readonly message: string;
}

export function validationBlock(context: string, findings: readonly Finding[], checks: readonly Check[]): JsonObject {
  const count = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  const failed = count('ERROR') > 0 || checks.some((check) => check.status === 'FAIL');
  const doubtful = count('WARNING') > 0 || checks.some((check) => check.status === 'WARNING');
  return {
    overall: failed ? 'FAIL' : doubtful ? 'WARNING' : 'PASS',
    checks: checks.map((check) => ({ ...check })),
    timestamp: new Date().toISOString(),
    validationContext: context,
    totalFindings: findings.length,
    errors: count('ERROR'),
    warnings: count('WARNING'),
    infos: count('INFO'),
    passed: !failed,
    verdict: failed
      ? 'FAIL: the result breaks a rule; do not use it before the cause is known.'
      : doubtful
        ? 'PASS_WITH_WARNINGS: usable after the warnings were read.'
        : 'PASS: no rule objects.',
    findings: findings.map((finding) => ({ ...finding })),
  };
}

/** The rules on the temperature [C] and pressure [bara] of a state; the limits are those of validateResults. */
export function stateFindings(temperature: number, pressure: number): Finding[] {
  const out: Finding[] = [];
  if (temperature < -273.15 || temperature > 1500) {
    out.push({
      code: 'OUT_OF_RANGE',
      severity: 'ERROR',
      message: `Temperature ${temperature.toFixed(1)} C lies outside -273.15 to 1500 C.`,
      remediation: 'Check the temperature and its unit.',
    });
  } else if (temperature < -40) {
    out.push({
      code: 'LOW_TEMPERATURE',
      severity: 'WARNING',
      message: `Temperature ${temperature.toFixed(1)} C is below -40 C.`,
      remediation: 'Check the minimum design metal temperature of the materials in use.',
    });
  }
  if (pressure < 0) {
    out.push({
      code: 'NEGATIVE_PRESSURE',
      severity: 'ERROR',
      message: `Pressure ${pressure} bara is below 0.`,
      remediation: 'Check the pressure and its unit.',
    });
  } else if (pressure < 0.01) {
    out.push({
      code: 'NEAR_VACUUM',
      severity: 'INFO',
      message: `Pressure ${pressure} bara is near vacuum.`,
      remediation: 'Check that absolute pressure is meant.',
    });
  } else if (pressure > 1000) {
    out.push({
      code: 'VERY_HIGH_PRESSURE',
      severity: 'INFO',
      message: `Pressure ${pressure.toPrecision(5)} bara is above 1000 bara.`,
      remediation: 'Check the pressure and its unit, and the range of the model.',
    });
  }
  return out;
}
