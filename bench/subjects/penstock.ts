/** The gateway with all its gates over a real PostgreSQL of its own, with one trivial tool. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '../../test/support/app.ts';
import { deskServer } from '../../test/support/desk.ts';

const profiles = mkdtempSync(join(tmpdir(), 'penstock-bench-'));
writeFileSync(
  join(profiles, 'operator.yaml'),
  'kind: role\nname: operator\ntitle: O\nservers: { desk: { all: true } }\n',
);
writeFileSync(
  join(profiles, 'desktop.yaml'),
  'kind: deployment\nname: DESKTOP_ENGINEER\ntitle: D\nallow: []\ndescribe: { autoValidation: true, approvalGates: false, auditLogging: true, sessionIsolation: false, rateLimiting: false }\n',
);
const { server } = deskServer();
const desk = await startApp({
  servers: [server],
  env: { PENSTOCK_PROFILES_DIR: profiles, PENSTOCK_LIMITS_READS_PER_MINUTE: '100000000' },
});
const address = await desk.app.http.listen({ host: '127.0.0.1', port: 0 });
process.on('message', () => void desk.close().then(() => process.exit(0)));
process.send?.(new URL(address).port);
