import { parseArgs } from 'node:util';

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
    // Each command loads what it needs: a call from the shell does not wait for the whole gateway's code.
    case 'serve':
      await (await import('./main.ts')).serve();
      return -1;
    case 'check':
      return (await import('./cli/check.ts')).check();
    case 'call': {
      if (rest.length < 2 || rest.length > 3) return usage(2);
      const { call } = await import('./cli/call.ts');
      return call(at, rest[0]!, rest[1]!, rest[2] ?? '{}');
    }
    case 'approve': {
      if (rest.length !== 1) return usage(2);
      const { approve } = await import('./cli/approve.ts');
      return approve(at, rest[0]!, { deny: values.deny, as: values.as ?? null, comment: values.comment ?? null });
    }
    case 'audit':
      if (rest[0] !== 'verify') return usage(2);
      return (await import('./cli/audit.ts')).auditVerify(values['expect-head'] ?? null);
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
