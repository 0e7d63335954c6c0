import type { JsonObject } from '../kit/index.ts';

/** The part of a logger that messaging needs. Fields never hold payloads, parameters or credentials. */
export interface MessagingLog {
  info(fields: JsonObject, message: string): void;
  warn(fields: JsonObject, message: string): void;
  error(fields: JsonObject, message: string): void;
}

export const silentLog: MessagingLog = { info: () => {}, warn: () => {}, error: () => {} };
