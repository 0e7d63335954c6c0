/**
 * What governance costs: the same trivial tool behind the official SDK on bare Fastify, and behind all nine gates with audit, each in a process
 * of its own, driven by the same load in turns. Prints calls a second, latency, and the ratio.
 */
import { fork } from 'node:child_process';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';

const CLIENTS = 16;
const ROUND_MS = 4_000;
const ROUNDS = 3;

interface Subject {
  readonly name: string;
  readonly port: number;
  stop(): void;
}

function start(name: string, file: string): Promise<Subject> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [], { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ name, port: Number(port), stop: () => child.send('stop') }));
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} before it was ready`)));
  });
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'say', arguments: { text: 'hello' }, _meta: META },
});
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'say',
  'content-length': Buffer.byteLength(BODY),
};

function once(agent: Agent, port: number): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { agent, host: '127.0.0.1', port, path: '/mcp/desk', method: 'POST', headers: HEADERS },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part) => {
          text += part;
        });
        answer.on('end', () =>
          answer.statusCode === 200 && text.includes('hello')
            ? resolve(performance.now() - begun)
            : reject(new Error(`HTTP ${answer.statusCode}: ${text.slice(0, 200)}`)),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(BODY);
  });
}

async function round(subject: Subject, ms: number): Promise<{ perSecond: number; latencies: number[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const latencies: number[] = [];
  const end = performance.now() + ms;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < end) latencies.push(await once(agent, subject.port));
    }),
  );
  agent.destroy();
  return { perSecond: (latencies.length * 1_000) / ms, latencies };
}

export async function run(): Promise<void> {
  const subjects = [
    await start('SDK on Fastify, no governance', './subjects/bare.ts'),
    await start('Penstock, all nine gates', './subjects/penstock.ts'),
  ];
  try {
    for (const subject of subjects) await round(subject, 2_000);
    const results = new Map(
      subjects.map((subject) => [subject.name, { rates: [] as number[], latencies: [] as number[] }]),
    );
    for (let k = 0; k < ROUNDS; k++) {
      for (const subject of subjects) {
        const { perSecond, latencies } = await round(subject, ROUND_MS);
        const result = results.get(subject.name)!;
        result.rates.push(perSecond);
        result.latencies.push(...latencies);
      }
    }
    const rate = (name: string) => results.get(name)!.rates.sort((a, b) => a - b)[ROUNDS >> 1]!;
    for (const { name } of subjects) {
      const sorted = results.get(name)!.latencies.sort((a, b) => a - b);
      const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(1);
      console.log(
        `${name}: ${rate(name).toFixed(0)} calls/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${CLIENTS} clients)`,
      );
    }
    const [bare, governed] = subjects.map(({ name }) => rate(name));
    console.log(`ratio governed / bare: ${(governed! / bare!).toFixed(2)}`);
  } finally {
    for (const subject of subjects) subject.stop();
  }
}
