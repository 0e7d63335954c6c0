/**
 * Who calls. A principal comes from a verified token, from an API key, or is the local principal of a gateway without authentication;
 * nothing a client says about itself in headers or `_meta` ever becomes part of it. The making is the identity room's work.
 */
export interface Principal {
  /** Stable identity: `issuer|subject` for tokens, `key:<id>` for API keys, `local` for the local principal. */
  readonly id: string;
  readonly subject: string;
  readonly issuer: string | null;
  /** OAuth client (`client_id` or `azp`); null for API keys and the local principal. */
  readonly client: string | null;
  /** A human signed in, as against a client-credentials token or an API key. */
  readonly human: boolean;
  /** The human for whom a machine acts, when the token says so. */
  readonly onBehalfOf: string | null;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  /** How the identity was established. */
  readonly via: 'token' | 'api-key' | 'local';
}
