/** The part of a logger that storage needs. A pino logger fits; messages never hold SQL, passwords or row contents. */
export interface StorageLog {
  info(message: string): void;
  warn(message: string): void;
}

export const silentLog: StorageLog = { info: () => {}, warn: () => {} };
