export type EmbeddedErrorCode =
  | 'EMBEDDED_IN_USE'
  | 'EMBEDDED_NO_USER'
  | 'EMBEDDED_UNSUPPORTED'
  | 'EMBEDDED_INIT_FAILED'
  | 'EMBEDDED_VERSION'
  | 'EMBEDDED_START_FAILED';

/** Why the embedded PostgreSQL could not be had. The message is one line for the person who starts the product. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
  readonly code: EmbeddedErrorCode;

  constructor(code: EmbeddedErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
