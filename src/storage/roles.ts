/**
 * Roles of the databases. `mcp_ro` reads the operation's tables (columns with secrets are not granted), `mcp_rw` makes exactly
 * the writes of the actuators, `gateway` uses the gateway's own database. `gateway_audit` owns the audit table and cannot log in,
 * so that the gateway can add records but not change or remove them.
 */
export const LOGIN_ROLES = ['gateway', 'mcp_ro', 'mcp_rw'] as const;
export type LoginRole = (typeof LOGIN_ROLES)[number];
export const OWNER_ROLES = ['gateway_audit'] as const;
