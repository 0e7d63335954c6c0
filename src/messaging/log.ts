import type { JsonObject } from '../kit/index.ts';

/** The part of a logger that messaging needs. Fields never hold payloads, parameters or credentials. */
export interface MessagingLog {
  info(fields: JsonObject, message: string): void;
  warn(fields: JsonObject, message: string): void;
  error(fields: JsonObject, message: string): void;
}

export const silentLog: MessagingLog = { info: () => {}, warn: () => {}, error: () => {} };

/** A short, safe name of a fault from a lower layer: its code, never its text (which may name hosts, statements or rows). */
export function faultName(fault: unknown): string {
  if (typeof fault === 'object' && fault !== null && 'code' in fault) {
    const { code } = fault;
    if (typeof code === 'number' || (typeof code === 'string' && /^[\w-]{1,40}$/.test(code))) return String(code);
  }
  return fault instanceof Error ? fault.name : 'unknown';
}
