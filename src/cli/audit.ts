import { resolve } from 'node:path';
import { loadConfig } from '../config/load.ts';
import { verifyAudit } from '../governance/audit/verify.ts';
import { openGatewayPool } from '../storage/connections.ts';
import { DEMO_DATABASES, visitEmbedded } from '../storage/embedded.ts';

/** Walks the whole chain. Exit code 0 when it holds, 1 when not, naming the first bad record. */
export async function auditVerify(expectHead: string | null): Promise<number> {
  const config = loadConfig();
  const url = config.databases.gatewayUrl;
  return url === null
    ? visitEmbedded(resolve(config.dataDir), (server) =>
        verify(server.roleUrl(DEMO_DATABASES.gateway, 'gateway'), expectHead),
      )
    : verify(url, expectHead);
}

async function verify(url: string, expectHead: string | null): Promise<number> {
  const [seq, hash] = expectHead?.split(':') ?? [];
  const pool = openGatewayPool({ url, poolSize: 1 });
  try {
    const result = await verifyAudit(pool, seq && hash ? { expectHead: { seq: Number(seq), hash } } : {});
    if (result.firstBad === null) {
      process.stdout.write(
        `The audit log is whole: ${result.records} records, head ${result.head.seq}:${result.head.hash}\n`,
      );
      return 0;
    }
    const { seq: at, fault, why } = result.firstBad;
    process.stdout.write(`The audit log is broken at record ${at} (${fault}): ${why}\n`);
    return 1;
  } finally {
    await pool.close();
  }
}
