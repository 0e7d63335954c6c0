import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { z } from 'zod';
import { loadConfig } from '../../src/config/load.ts';
import { loadProfiles } from '../../src/config/profiles.ts';
import { compile } from '../../src/kit/catalogue.ts';
import { isMarked, type JsonObject, type JsonValue, type Principal, type Server } from '../../src/kit/index.ts';
import { callerOf, type TestApp } from '../support/app.ts';

/**
 * What every server must hold, whatever its tools do. One suite, run against each; a server brings only the arguments of a call of each of its
 * tools that succeeds on the demo data.
 */
export interface ServerContract {
  readonly server: Server;
  /** A good call of every tool; `null` where none can succeed without an approval. */
  readonly good: Readonly<Record<string, JsonObject>>;
}

const holderOf = (roles: string[]): Principal => ({
  id: `holder-of-${roles.join('-')}`,
  subject: 'holder',
  issuer: null,
  client: null,
  human: true,
  onBehalfOf: null,
  roles,
  scopes: [],
  via: 'token',
});

interface StringPlace {
  readonly path: readonly string[];
  readonly lookup: boolean;
}

/** Every place in a tool's input where text may stand, as far as its JSON Schema shows. */
function stringPlaces(schema: JsonObject, root: JsonObject, path: string[] = []): string[][] {
  const at = resolve(schema, root);
  const options = (at['anyOf'] ?? at['oneOf']) as JsonObject[] | undefined;
  if (options) return options.flatMap((option) => stringPlaces(option, root, path));
  if (at['enum'] || at['const'] !== undefined) return [];
  if (at['type'] === 'string') return [path];
  if (at['type'] === 'object' && at['properties']) {
    return Object.entries(at['properties'] as JsonObject).flatMap(([name, member]) =>
      stringPlaces(member as JsonObject, root, [...path, name]),
    );
  }
  return [];
}

function resolve(schema: JsonObject, root: JsonObject): JsonObject {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  return (root['$defs'] as JsonObject)[reference.split('/').at(-1)!] as JsonObject;
}

function withValue(args: JsonObject, path: readonly string[], value: JsonValue): JsonObject {
  const [name, ...rest] = path;
  const before = args[name!];
  const inner = before !== null && typeof before === 'object' && !Array.isArray(before) ? before : {};
  return { ...args, [name!]: rest.length === 0 ? value : withValue(inner, rest, value) };
}

const HIDDEN = /[\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u00AD]|<!--/;

export function serverContract(contract: ServerContract, start: () => Promise<TestApp>): void {
  const { server, good } = contract;
  const catalogue = compile(server);
  const codes = server.envelope.id === 'payments' ? ['INVALID_ARGUMENT'] : ['INPUT_ERROR'];
  const codeOf = (envelope: JsonObject): unknown =>
    (envelope['error'] as JsonObject | undefined)?.['code'] ??
    ((envelope['errors'] as JsonObject[] | undefined)?.[0]?.['code'] as unknown);

  t.test(`${server.name}: the contract of every server`, async (t) => {
    const app = await start();
    t.teardown(() => app.close());
    const owner = app.postgres.connect(app.databases.product.owner);
    const state = async (): Promise<string> => {
      const tables = await owner<
        { name: string }[]
      >`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
      const sums = await Promise.all(
        tables.map(
          ({ name }) =>
            owner<
              { sum: string }[]
            >`select md5(coalesce(string_agg(r::text, '' order by r::text), '')) as sum from ${owner(name)} r`,
        ),
      );
      return sums.map((rows) => rows[0]!.sum).join();
    };
    const run = (tool: string, args: unknown) => app.call(server.name, tool, args);
    const tools = [...catalogue.tools.values()];
    const readers = tools.filter(({ tool }) => tool.access.risk === 'read');

    await t.test('names, texts, schemas and annotations are those of the snapshot', async (t) => {
      const file = `test/snapshots/${server.name}.json`;
      const now = `${JSON.stringify(
        tools.map((entry) => entry.listed),
        null,
        2,
      )}\n`;
      if (process.env['UPDATE_SNAPSHOTS'] === '1') writeFileSync(file, now);
      const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
      t.equal(
        now,
        kept,
        'what clients see has changed: review it, then renew with UPDATE_SNAPSHOTS=1 npx tap test/servers/contract.test.ts',
      );
    });

    await t.test('texts are there, short, and hide nothing', async (t) => {
      for (const { tool, listed } of tools) {
        t.ok(
          tool.description.length >= 20 && tool.description.length <= 700,
          `${tool.name}: ${tool.description.length} characters`,
        );
        t.notOk(HIDDEN.test(JSON.stringify(listed)), tool.name);
        t.equal((listed['inputSchema'] as JsonObject)['additionalProperties'], false, `${tool.name} is closed`);
        t.ok(Object.hasOwn(good, tool.name), `${tool.name} has a good call here`);
      }
    });

    await t.test('for every profile, what is listed is what can be called, in one order', async (t) => {
      const profiles = loadProfiles(loadConfig({}).profiles.dir, 'DESKTOP_ENGINEER');
      const order = server.tools.map((tool) => tool.name);
      for (const role of profiles.roles.keys()) {
        const principal = holderOf([role]);
        const listed = app.app.gateway.listTools(server.name, callerOf(principal)).map((entry) => entry.name);
        t.same(
          listed,
          order.filter((name) => listed.includes(name)),
          `${role}: registration order`,
        );
        for (const { tool } of tools) {
          const answer = await app.call(server.name, tool.name, { no_such_field: 1 }, { principal });
          const callable = answer.kind === 'answer' && !['FORBIDDEN'].includes(String(codeOf(answer.envelope)));
          t.equal(callable, listed.includes(tool.name), `${role}: ${tool.name}`);
        }
      }
    });

    await t.test('a good call answers in its schema, and text and structure agree', async (t) => {
      for (const { tool, listed } of tools) {
        const answer = await run(tool.name, good[tool.name]);
        if (answer.kind !== 'answer') {
          t.fail(`${tool.name} is unknown`);
          continue;
        }
        const { envelope, text, isError } = answer;
        t.ok(
          ['success', 'approval_required'].includes(String(envelope['status'])),
          `${tool.name}: ${JSON.stringify(envelope['error'] ?? envelope['errors'] ?? '')}`,
        );
        t.equal(isError, false, tool.name);
        t.same(JSON.parse(text), envelope, tool.name);
        if (listed['outputSchema']) {
          const checked = z.fromJSONSchema(listed['outputSchema'] as never).safeParse(envelope);
          t.ok(
            checked.success,
            `${tool.name}: ${checked.success ? '' : JSON.stringify(checked.error.issues.slice(0, 3))}`,
          );
        }
      }
    });

    await t.test('an unknown field, and a value of the wrong type, are refused and named', async (t) => {
      for (const { tool, listed } of tools) {
        const args = good[tool.name]!;
        const unknown = await run(tool.name, { ...args, definitely_not_a_field: 1 });
        t.match(unknown, { kind: 'answer', isError: true });
        if (unknown.kind === 'answer') {
          t.ok(codes.includes(String(codeOf(unknown.envelope))), `${tool.name}: unknown field`);
          t.match(JSON.stringify(unknown.envelope), /definitely_not_a_field/);
        }
        for (const name of Object.keys((listed['inputSchema'] as JsonObject)['properties'] as JsonObject)) {
          const wrong = await run(tool.name, { ...args, [name]: [[{ deep: [] }]] });
          if (wrong.kind !== 'answer') continue;
          t.equal(wrong.isError, true, `${tool.name}.${name}`);
          t.match(JSON.stringify(wrong.envelope), new RegExp(name), `${tool.name}.${name} is named`);
        }
      }
    });

    const places = (tool: (typeof tools)[number]): StringPlace[] => {
      const schema = tool.listed['inputSchema'] as JsonObject;
      return stringPlaces(schema, schema).map((path) => ({
        path,
        lookup: isMarked(tool.inputMarks, path, ['lookup']),
      }));
    };
    const strings = (value: string) =>
      tools.flatMap((entry) =>
        places(entry).map((place) => ({ entry, place, args: withValue(good[entry.tool.name]!, place.path, value) })),
      );

    await t.test('text that looks like SQL finds nothing and changes nothing', async (t) => {
      const before = await state();
      for (const text of ["' OR '1'='1' --", "'; drop table tms_terminals; --", '%', '$1']) {
        for (const { entry, place, args } of strings(text)) {
          if (entry.tool.access.risk !== 'read') continue;
          const answer = await run(entry.tool.name, args);
          t.equal(answer.kind, 'answer');
          if (answer.kind === 'answer') {
            t.notOk(
              /syntax error|SQLSTATE|pg_|relation /i.test(answer.text),
              `${entry.tool.name}.${place.path.join('.')}`,
            );
            t.not(codeOf(answer.envelope), 'INTERNAL', `${entry.tool.name}.${place.path.join('.')}`);
          }
        }
      }
      t.equal(await state(), before);
    });

    await t.test('control characters and U+0000 in any argument are refused', async (t) => {
      for (const { entry, place, args } of strings('a\u0000b')) {
        const answer = await run(entry.tool.name, args);
        t.match(answer, { kind: 'answer', isError: true }, `${entry.tool.name}.${place.path.join('.')}`);
        if (answer.kind === 'answer')
          t.not(codeOf(answer.envelope), 'INTERNAL', `${entry.tool.name}.${place.path.join('.')}`);
      }
    });

    await t.test('a card number in any argument is refused, and nothing of it is kept', async (t) => {
      for (const { entry, place, args } of strings('pay 4111 1111 1111 1111 now')) {
        if (place.lookup) continue;
        const answer = await run(entry.tool.name, args);
        t.match(answer, { kind: 'answer', isError: true }, `${entry.tool.name}.${place.path.join('.')}`);
        if (answer.kind === 'answer') {
          t.equal(codeOf(answer.envelope), 'SENSITIVE_INPUT', `${entry.tool.name}.${place.path.join('.')}`);
          t.notOk(answer.text.includes('4111'));
        }
      }
      const gateway = app.postgres.connect(app.databases.gateway.owner);
      t.notOk(JSON.stringify(await gateway`select * from audit_records`).includes('4111 1111'));
    });

    await t.test('paths and addresses in arguments open no file and no connection', async (t) => {
      let connections = 0;
      const canary = createServer((_request, response) => {
        connections += 1;
        response.end();
      });
      await new Promise<void>((done) => canary.listen(0, '127.0.0.1', done));
      const { port } = canary.address() as AddressInfo;
      for (const text of [
        `http://127.0.0.1:${port}/x`,
        `http://[::ffff:127.0.0.1]:${port}/`,
        `http://2130706433:${port}/`,
        '../../../../etc/passwd',
        'file:///etc/passwd',
        '/etc/passwd',
        '%2e%2e%2fetc%2fpasswd',
        '\\\\host\\share',
      ]) {
        for (const { entry, place, args } of strings(text)) {
          const answer = await run(entry.tool.name, args);
          if (answer.kind === 'answer')
            t.notOk(/root:.*:0:0/.test(answer.text), `${entry.tool.name}.${place.path.join('.')}`);
        }
      }
      t.equal(connections, 0);
      await new Promise((done) => canary.close(done));
    });

    await t.test('a reader changes nothing', async (t) => {
      const before = await state();
      for (const { tool } of readers) await run(tool.name, good[tool.name]);
      t.equal(await state(), before);
    });
  });
}
