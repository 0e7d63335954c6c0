import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: Record<string, unknown>;
  readonly publicJwk: Record<string, unknown>;
}
export async function signingKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const common = { kid, alg, use: 'sig' };
  return {
    kid,
    alg,
    privateKey,
    jwk: { ...(await exportJWK(privateKey)), ...common },
    publicJwk: { ...(await exportJWK(publicKey)), ...common },
  };
}

/** Signs claims as an issuer would. A claim given as undefined is left out. */
export function signToken(
  key: SigningKey,
  claims: JWTPayload,
  header: { alg?: string; kid?: string | undefined; typ?: string } = {},
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
    .sign(key.privateKey);
}

async function listen(handler: http.RequestListener): Promise<{ origin: string; close(): Promise<void> }> {
  const server = http.createServer(handler).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

export interface RealIssuer {
  readonly issuer: string;
  readonly key: SigningKey;
  /** A token of the client-credentials grant. */
  clientToken(resource: string, scope?: string): Promise<string>;
  /** A token of the authorization-code grant with PKCE, for a person who signed in under this name. */
  userToken(resource: string, login: string, scope?: string): Promise<string>;
  close(): Promise<void>;
}

/** A real authorization server (oidc-provider) that issues signed access tokens for the resources of `origin`. */
export async function startIssuer(scopes: readonly string[]): Promise<RealIssuer> {
  const key = await signingKey('issuer-key');
  let handler: http.RequestListener = (_request, response) => response.writeHead(503).end();
  const { origin: issuer, close } = await listen((request, response) => handler(request, response));
  const client = { client_id: 'robot', client_secret: 'not-a-real-secret-of-anyone' };
  const redirect = 'http://127.0.0.1:9/callback';
  const provider = new Provider(issuer, {
    clients: [
      { ...client, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
      {
        client_id: 'desk',
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        redirect_uris: [redirect],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [key.jwk] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    scopes: ['openid', ...scopes],
    ttl: Object.fromEntries(
      ['ClientCredentials', 'Interaction', 'Session', 'Grant', 'AccessToken', 'IdToken'].map((kind) => [kind, 300]),
    ),
    findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    extraTokenClaims: (_ctx: unknown, token: { kind: string }) => ({
      roles: token.kind === 'ClientCredentials' ? ['A1'] : ['operator', 'approver'],
    }),
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx: unknown, resource: string) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  handler = provider.callback();

  const exchange = async (form: Record<string, string>, authorization?: string): Promise<string> => {
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: authorization === undefined ? {} : { authorization },
      body: new URLSearchParams(form),
    });
    const body = (await response.json()) as { access_token?: string };
    if (body.access_token === undefined) throw new Error(`no token: ${JSON.stringify(body)}`);
    return body.access_token;
  };

  return {
    issuer,
    key,
    close,
    clientToken: (resource, scope = scopes.join(' ')) =>
      exchange(
        { grant_type: 'client_credentials', resource, scope },
        `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`,
      ),
    async userToken(resource, login, scope = scopes.join(' ')) {
      const verifier = randomBytes(32).toString('base64url');
      const query = new URLSearchParams({
        client_id: 'desk',
        response_type: 'code',
        redirect_uri: redirect,
        scope: `openid ${scope}`,
        resource,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      });
      const code = await signIn(`${issuer}/auth?${query}`, login, redirect);
      return exchange({
        grant_type: 'authorization_code',
        client_id: 'desk',
        redirect_uri: redirect,
        code,
        code_verifier: verifier,
        resource,
      });
    },
  };
}

/** Walks through the issuer's sign-in and consent pages as a browser would, and returns the code. */
async function signIn(start: string, login: string, redirect: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = start;
  let form: Record<string, string> | null = null;
  for (let step = 0; step < 12; step++) {
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      headers: { cookie: [...jar].map(([k, v]) => `${k}=${v}`).join('; ') },
      redirect: 'manual',
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair] = cookie.split(';');
      const at = pair!.indexOf('=');
      jar.set(pair!.slice(0, at), pair!.slice(at + 1));
    }
    form = null;
    const next = response.headers.get('location');
    if (next?.startsWith(redirect)) {
      const code = new URL(next).searchParams.get('code');
      if (code === null) throw new Error(`sign-in ended with ${next}`);
      return code;
    }
    if (next !== null) url = new URL(next, url).href;
    else {
      const prompt = /name="prompt" value="(\w+)"/.exec(await response.text())?.[1];
      if (prompt === undefined) throw new Error(`sign-in stopped with ${response.status} at ${url}`);
      form = prompt === 'login' ? { prompt, login, password: 'any' } : { prompt };
    }
  }
  throw new Error('sign-in did not end');
}

/** An issuer that misbehaves on order and counts what it is asked. */
export interface FakeIssuer {
  readonly issuer: string;
  keys: SigningKey[];
  mode: 'ok' | 'error' | 'slow' | 'huge' | 'other-issuer' | 'redirect' | 'garbage';
  readonly asked: { metadata: number; keys: number };
  close(): Promise<void>;
}
export async function fakeIssuer(keys: SigningKey[]): Promise<FakeIssuer> {
  const asked = { metadata: 0, keys: 0 };
  const { origin, close } = await listen((request, response) => {
    const isKeys = request.url === '/keys';
    if (isKeys) asked.keys++;
    else asked.metadata++;
    if (!isKeys && request.url !== '/.well-known/openid-configuration') return response.writeHead(404).end();
    const json = (value: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (state.mode === 'error') return response.writeHead(500).end();
    if (state.mode === 'slow') return undefined;
    if (state.mode === 'redirect') return response.writeHead(302, { location: `${origin}/keys` }).end();
    if (state.mode === 'garbage') return response.writeHead(200).end('<html>');
    if (isKeys) {
      const filler = state.mode === 'huge' ? { filler: 'x'.repeat(10_000_000) } : {};
      return json({ keys: state.keys.map((key) => key.publicJwk), ...filler });
    }
    return json({
      issuer: state.mode === 'other-issuer' ? 'https://other.example' : origin,
      jwks_uri: `${origin}/keys`,
    });
  });
  const state: FakeIssuer = { issuer: origin, keys, mode: 'ok', asked, close };
  return state;
}
