/**
 * Fetches a small JSON document from the issuer.
 * Guarantees: ends within the timeout, reads at most `maxBytes`, follows no redirect. Leaves to others: whether the address may be asked.
 */
export async function fetchJson(
  url: string,
  limits: { readonly timeoutMs: number; readonly maxBytes: number },
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(limits.timeoutMs),
  });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    return { status: response.status, body: null };
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (size > limits.maxBytes) throw new Error(`the answer is longer than ${limits.maxBytes} bytes`);
    chunks.push(chunk);
  }
  return { status: response.status, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
}
