import { pino } from 'pino';

export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/**
 * Structured logs on standard error, one JSON object a line. Every field passes `scrub` before it is written: the same filter that guards answers.
 * An error is logged as its name, message and stack; `scrub` looks at those too.
 */
export function createLog(level: string, scrub: (fields: Record<string, unknown>) => Record<string, unknown>): Log {
  const sink = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
  const write =
    (kind: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: Record<string, unknown> = {}): void => {
      if (!sink.isLevelEnabled(kind)) return;
      sink[kind](scrub({ ...plain(fields), msg: message }));
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

function plain(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      value instanceof Error
        ? {
            name: value.name,
            message: value.message,
            stack: value.stack,
            ...(value.cause instanceof Error ? { cause: value.cause.message } : {}),
          }
        : value,
    ]),
  );
}
