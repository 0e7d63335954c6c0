import type { Config } from './config/schema.ts';
import type { Server } from './kit/server.ts';

/** What a person sees when the gateway is ready: what is mounted, how to connect a client, and a first call to try. */
export function welcome(facts: {
  address: string;
  config: Config;
  servers: readonly Server[];
  demo: boolean;
  seconds: number;
}): string {
  const { config, servers } = facts;
  const base = config.http.publicUrl ?? facts.address.replace('[::1]', '127.0.0.1');
  const width = Math.max(...servers.map((server) => server.name.length));
  const first = servers[0]?.name ?? 'tms';
  const clients = {
    mcpServers: Object.fromEntries(servers.map(({ name }) => [name, { type: 'http', url: `${base}/mcp/${name}` }])),
  };
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_terminal', arguments: { serial_number: 'NV5-000137' } },
  };
  const lines = [
    '',
    `Penstock is ready on ${base} (${facts.seconds.toFixed(1)} s)`,
    '',
    'Servers:',
    ...servers.map(
      ({ name, title, tools }) => `  ${name.padEnd(width)}  ${base}/mcp/${name}  ${title} (${tools.length} tools)`,
    ),
    '',
    `Authentication is ${config.identity.enabled ? 'on' : 'off: this machine only'}. Deployment profile ${config.profiles.deployment}.`,
    '',
    'Connect a client (Streamable HTTP), for example in .mcp.json or your client’s settings:',
    JSON.stringify(clients),
    '',
    ...(facts.demo && first === 'tms'
      ? [
          'A first call to try:',
          `  npm run -s call -- tms get_terminal '{"serial_number":"NV5-000137"}'`,
          'or with curl:',
          `  curl -s ${base}/mcp/tms -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d '${JSON.stringify(body)}'`,
          '',
        ]
      : []),
    'Ctrl-C stops it.',
    '',
  ];
  return `${lines.join('\n')}\n`;
}
