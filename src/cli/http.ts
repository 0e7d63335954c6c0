export interface Target {
  readonly url: string;
  readonly token: string | null;
}

/** One POST to a running gateway, and its JSON answer. Says on standard error why there is none. */
export async function reach(
  target: Target,
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<{ status: number; body: unknown } | null> {
  try {
    const response = await fetch(new URL(path, target.url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...headers,
        ...(target.token ? { authorization: `Bearer ${target.token}` } : {}),
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: readBody(await response.text()) };
  } catch {
    process.stderr.write(
      `There is no gateway at ${target.url}: start it with npm start, or name another with --url.\n`,
    );
    return null;
  }
}

/** JSON, or the last data line of an event stream. */
function readBody(text: string): unknown {
  const line = text.startsWith('{')
    ? text
    : text
        .split('\n')
        .filter((each) => each.startsWith('data:'))
        .at(-1)
        ?.slice(5);
  try {
    return line ? JSON.parse(line) : {};
  } catch {
    return { text: text.slice(0, 500) };
  }
}
