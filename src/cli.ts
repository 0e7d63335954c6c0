import { parseArgs } from 'node:util';
import { approve } from './cli/approve.ts';
import { auditVerify } from './cli/audit.ts';
import { call } from './cli/call.ts';
import { check } from './cli/check.ts';
import { serve } from './main.ts';

/** `penstock serve | check | call | approve | audit verify`. Each command says what it wants when it is called without. */
const USAGE = `penstock serve                                      start the gateway
penstock check                                      print the effective configuration, without secrets
penstock call SERVER TOOL ['JSON'] [--url URL] [--token TOKEN]
                                                    one call to a running gateway
penstock approve ID [--deny] [--as local-approver-1] [--comment TEXT] [--url URL] [--token TOKEN]
penstock audit verify [--expect-head SEQ:HASH]      check the hash chain of the audit log
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    as: { type: 'string' },
    comment: { type: 'string' },
    deny: { type: 'boolean', default: false },
    'expect-head': { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const [command, ...rest] = positionals;
const at = {
  url: values.url ?? process.env['PENSTOCK_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? 8080}`,
  token: values.token ?? process.env['PENSTOCK_TOKEN'] ?? null,
};

async function main(): Promise<number> {
  if (values.help) return usage(0);
  switch (command) {
    case 'serve':
      await serve();
      return -1;
    case 'check':
      return check();
    case 'call':
      return rest.length >= 2 && rest.length <= 3 ? call(at, rest[0]!, rest[1]!, rest[2] ?? '{}') : usage(2);
    case 'approve':
      return rest.length === 1
        ? approve(at, rest[0]!, { deny: values.deny, as: values.as ?? null, comment: values.comment ?? null })
        : usage(2);
    case 'audit':
      return rest[0] === 'verify' ? auditVerify(values['expect-head'] ?? null) : usage(2);
    default:
      return usage(command === undefined ? 0 : 2);
  }
}

function usage(code: number): number {
  (code === 0 ? process.stdout : process.stderr).write(USAGE);
  return code;
}

const code = await main();
if (code >= 0) process.exitCode = code;
