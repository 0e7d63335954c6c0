import { reach, type Target } from './http.ts';

/** One tools/call of revision 2026-07-28. Prints the envelope; exit code 0 for an answer, 1 for an error or a refusal, 2 when there was none. */
export async function call(target: Target, server: string, tool: string, json: string): Promise<number> {
  let args: unknown;
  try {
    args = JSON.parse(json);
  } catch {
    process.stderr.write(`The arguments are not JSON: ${json.slice(0, 200)}\n`);
    return 2;
  }
  const version = '2026-07-28';
  const answer = await reach(
    target,
    `/mcp/${encodeURIComponent(server)}`,
    {
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': tool,
      accept: 'application/json, text/event-stream',
    },
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: tool,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientInfo': { name: 'penstock-cli', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  );
  if (!answer) return 2;
  const { result, error } = answer.body as {
    result?: { structuredContent?: unknown; isError?: boolean };
    error?: { message: string };
  };
  if (error) process.stderr.write(`${error.message}\n`);
  if (!result) {
    if (!error) process.stderr.write(`HTTP ${answer.status}: ${JSON.stringify(answer.body)}\n`);
    return 2;
  }
  process.stdout.write(`${JSON.stringify(result.structuredContent, null, 2)}\n`);
  return result.isError ? 1 : 0;
}
