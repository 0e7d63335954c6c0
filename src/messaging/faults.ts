import { StorageError } from '../storage/errors.ts';

/** A short, safe name of a fault from a lower layer: its code, never its text (which may name hosts, statements or rows). */
export function faultName(fault: unknown): string {
  if (fault instanceof StorageError) return [fault.kind, fault.sqlstate].filter(Boolean).join(' ');
  if (typeof fault === 'object' && fault !== null && 'code' in fault) {
    const { code } = fault;
    if (typeof code === 'number' || (typeof code === 'string' && /^[\w-]{1,40}$/.test(code))) return String(code);
  }
  return fault instanceof Error ? fault.name : 'unknown';
}

/** Faults of the moment: no connection, a lock or deadlock that took too long. Any other would come again with the same statement. */
export const mayPass = (fault: unknown): boolean =>
  fault instanceof StorageError && (fault.kind === 'unavailable' || fault.kind === 'timeout');
