/** Real parts for the tests of the governance stores: pools on fresh databases, and entries and principals to use with them. */
import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '../../src/governance/audit/entry.ts';
import type { Principal } from '../../src/kit/principal.ts';
import { openGatewayPool } from '../../src/storage/connections.ts';
import { Pool } from '../../src/storage/pool.ts';

export const gatewayPool = (url: string, poolSize = 4): Pool => openGatewayPool({ url, poolSize });

export const productPool = (url: string, max = 10): Pool =>
  new Pool({ database: 'product', url, mode: 'write', max, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000 });

export const quiet = { info: () => {}, error: () => {} };

export function entry(parts: Partial<AuditEntry> = {}): AuditEntry {
  return {
    kind: 'call',
    phase: 'completed',
    callId: randomUUID(),
    requestId: randomUUID(),
    traceId: '0af7651916cd43dd8448eb211c80319c',
    principal: {
      id: 'https://issuer.example|a1',
      issuer: 'https://issuer.example',
      client: 'fleet-health',
      onBehalfOf: null,
    },
    profile: 'A1',
    policyVersion: 'p1',
    server: 'tms',
    tool: 'get_terminal',
    tier: 'read',
    status: 'success',
    errorCode: null,
    argsDigest: 'a'.repeat(64),
    auditable: { serial_number: 'NV5-000137' },
    catalogueDigest: 'b'.repeat(64),
    rows: 1,
    redactions: 0,
    approvalId: null,
    approvers: [],
    idempotencyKey: null,
    durationMs: 3.4,
    outcome: 'allow',
    ...parts,
  };
}

export function person(subject: string, parts: Partial<Principal> = {}): Principal {
  return {
    id: `https://issuer.example|${subject}`,
    subject,
    issuer: 'https://issuer.example',
    client: 'console',
    human: true,
    onBehalfOf: null,
    roles: ['approver'],
    scopes: [],
    via: 'token',
    ...parts,
  };
}

export const machine = (subject: string, parts: Partial<Principal> = {}): Principal =>
  person(subject, { client: subject, human: false, roles: ['A1'], ...parts });
