import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import t from 'tap';
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

/** Names of members, and 0 for the first element of a list. */
type Path = readonly (string | number)[];
interface StringPlace {
  readonly path: Path;
  readonly lookup: boolean;
}

/** Every place in a tool's input where text may stand: members, list elements, and members of free objects. */
function stringPlaces(schema: JsonObject, root: JsonObject, path: Path = []): Path[] {
  // Schemas of any JSON value contain themselves.
  if (path.length > 5) return [];
  const at = resolve(schema, root);
  const options = (at['anyOf'] ?? at['oneOf']) as JsonObject[] | undefined;
  if (options) return unique(options.flatMap((option) => stringPlaces(option, root, path)));
  if (at['type'] === 'string') return [path];
  if (at['type'] === 'array') return stringPlaces(at['items'] as JsonObject, root, [...path, 0]);
  if (at['type'] !== 'object') return [];
  const free = at['additionalProperties'];
  return [
    ...Object.entries((at['properties'] ?? {}) as JsonObject).flatMap(([name, member]) =>
      stringPlaces(member as JsonObject, root, [...path, name]),
    ),
    ...(isObject(free) ? stringPlaces(free, root, [...path, 'some_name']) : []),
  ];
}

const unique = (paths: readonly Path[]): Path[] => [...new Map(paths.map((path) => [path.join('.'), path])).values()];
const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function resolve(schema: JsonObject, root: JsonObject): JsonObject {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  return (root['$defs'] as JsonObject)[reference.split('/').at(-1)!] as JsonObject;
}

/** JSON types that a schema lets in. */
function typesOf(schema: JsonObject, root: JsonObject): Set<string> {
  const at = resolve(schema, root);
  const options = (at['anyOf'] ?? at['oneOf']) as JsonObject[] | undefined;
  if (options) return new Set(options.flatMap((option) => [...typesOf(option, root)]));
  if (at['type'] === undefined && at['const'] === undefined && at['enum'] === undefined) return new Set(EVERY_TYPE);
  const named = [at['type'] ?? typeof (at['const'] ?? (at['enum'] as JsonValue[] | undefined)?.[0])].flat();
  return new Set(named.map(String));
}
/** A value of each JSON type; a fraction is a number and no integer. */
const OF_TYPE: Readonly<Record<string, JsonValue>> = {
  string: 'some text',
  number: 1.5,
  boolean: true,
  null: null,
  array: [[[]]],
  object: { deep: { er: [] } },
};
const EVERY_TYPE = Object.keys(OF_TYPE);

/** Every schema inside a schema. */
function schemasIn(value: JsonValue): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(schemasIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(schemasIn)] : [];
}

function withValue(before: JsonValue | undefined, path: Path, value: JsonValue): JsonValue {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (typeof name === 'number') return [withValue(undefined, rest, value)];
  const inner = isObject(before) ? before : {};
  return { ...inner, [name]: withValue(inner[name], rest, value) };
}

const HIDDEN = /[\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u00AD]|<!--/;

export interface StartOptions {
  readonly env?: Record<string, string>;
  /** Without the demo data. */
  readonly empty?: boolean;
}

export function serverContract(contract: ServerContract, start: (options?: StartOptions) => Promise<TestApp>): void {
  const { server, good } = contract;
  const catalogue = compile(server);
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
    const tools = [...catalogue.tools.values()];
    // As a client checks answers, and every answer of this suite: good ones and refusals.
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      validateFormats: false,
      allErrors: true,
    });
    const fits = new Map<string, ValidateFunction>(
      tools.flatMap(({ tool, listed }) =>
        isObject(listed['outputSchema']) ? [[tool.name, ajv.compile(listed['outputSchema'])] as const] : [],
      ),
    );
    const misfits = new Set<string>();
    let answers = 0;
    const run = async (tool: string, args: unknown) => {
      const answer = await app.call(server.name, tool, args);
      if (answer.kind !== 'answer') return answer;
      answers += 1;
      const check = fits.get(tool);
      if (check && !check(answer.envelope)) misfits.add(`${tool}: ${ajv.errorsText(check.errors)}`);
      if (JSON.stringify(JSON.parse(answer.text)) !== JSON.stringify(answer.envelope))
        misfits.add(`${tool}: the text differs`);
      return answer;
    };
    /** Paths of the arguments that a refusal names. */
    const named = (envelope: JsonObject): string[] => {
      const error = (envelope['error'] ?? (envelope['errors'] as JsonObject[] | undefined)?.[0] ?? {}) as JsonObject;
      const issues = ((error['details'] as JsonObject | undefined)?.['issues'] ??
        error['issues'] ??
        []) as JsonObject[];
      return issues.map((issue) => String(issue['path']));
    };
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
        t.ok(tool.title.length >= 3 && tool.title.length <= 80, `${tool.name} has a title`);
        const schemas = schemasIn(listed['inputSchema'] as JsonValue);
        t.equal(schemas[0]!['additionalProperties'], false, `${tool.name} is closed`);
        t.same(
          schemas.filter(
            ({ type, additionalProperties: free }) => type === 'object' && free !== false && !isObject(free),
          ),
          [],
          `${tool.name} is closed at every depth, or says what its members are`,
        );
        t.same(
          schemasIn(listed).filter(({ $ref: to }) => typeof to === 'string' && !to.startsWith('#/')),
          [],
          `${tool.name} refers to nothing outside itself`,
        );
        t.ok(Object.hasOwn(good, tool.name), `${tool.name} has a good call here`);
      }
    });

    await t.test('for every profile, what is listed is what can be called, in one order', async (t) => {
      const profiles = loadProfiles(loadConfig({}).profiles.dir, 'DESKTOP_ENGINEER');
      const order = server.tools.map((tool) => tool.name);
      const again = compile(server);
      t.equal(again.digest, catalogue.digest, 'compiled twice it is the same to the byte');
      t.same([...again.tools.keys()], order);
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

    if (server.tools.some((tool) => tool.access.trust !== null)) {
      await t.test('for every deployment profile too', async (t) => {
        const { deployments } = loadProfiles(loadConfig({}).profiles.dir, 'DESKTOP_ENGINEER');
        for (const profile of deployments.keys()) {
          const other = await start({ env: { NEQSIM_MCP_PROFILE: profile }, empty: true });
          const listed = other.app.gateway.listTools(server.name, callerOf()).map((entry) => entry.name);
          for (const { tool } of tools) {
            const answer = await other.call(server.name, tool.name, { no_such_field: 1 });
            const callable = answer.kind === 'answer' && codeOf(answer.envelope) !== 'FORBIDDEN';
            t.equal(callable, listed.includes(tool.name), `${profile}: ${tool.name}`);
          }
          await other.close();
        }
      });
    }

    await t.test('a good call answers in its schema, and text and structure agree', async (t) => {
      for (const { tool } of tools) {
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
        t.equal(fits.has(tool.name), server.envelope.publishesOutputSchemas, `${tool.name}: the schema of its answer`);
      }
    });

    await t.test('an unknown field, and a value of the wrong type, are refused and named', async (t) => {
      for (const { tool, listed } of tools) {
        const args = good[tool.name]!;
        const unknown = await run(tool.name, { ...args, definitely_not_a_field: 1 });
        if (unknown.kind !== 'answer') throw new Error(`${tool.name} is unknown`);
        t.equal(codeOf(unknown.envelope), server.envelope.refusalCode, `${tool.name}: unknown field`);
        t.same(named(unknown.envelope), ['definitely_not_a_field'], `${tool.name}: it is named`);
        const schema = listed['inputSchema'] as JsonObject;
        for (const [name, member] of Object.entries(schema['properties'] as JsonObject)) {
          const types = typesOf(member as JsonObject, schema);
          for (const type of EVERY_TYPE.filter((one) => !types.has(one))) {
            const wrong = await run(tool.name, { ...args, [name]: OF_TYPE[type]! });
            if (wrong.kind !== 'answer') continue;
            t.equal(codeOf(wrong.envelope), server.envelope.refusalCode, `${tool.name}.${name}: ${type}`);
            t.ok(
              named(wrong.envelope).every((path) => path === name || path.startsWith(`${name}.`)),
              `${tool.name}.${name} is named: ${named(wrong.envelope)}`,
            );
          }
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
        places(entry).map((place) => ({ entry, place, args: withValue(good[entry.tool.name], place.path, value) })),
      );

    /** Rows behind a successful answer, or names that matched. */
    const found = ({ status, provenance, data }: JsonObject): number => {
      if (status !== 'success') return 0;
      const sources = ((provenance as JsonObject | undefined)?.['sources'] ?? []) as { rows?: number }[];
      return sources.reduce((sum, { rows = 0 }) => sum + rows, Number((data as JsonObject)['matchCount'] ?? 0));
    };

    await t.test('text that looks like SQL finds nothing and changes nothing', async (t) => {
      const before = await state();
      for (const text of ["' OR '1'='1' --", "'; drop table tms_terminals; --", '%', '$1']) {
        for (const { entry, place, args } of strings(text)) {
          // A reason is prose for the record, whatever it says; everything else is compared with something.
          if (place.path[0] === 'reason') continue;
          const where = `${entry.tool.name}.${place.path.join('.')}: ${text}`;
          const answer = await run(entry.tool.name, args);
          if (answer.kind !== 'answer') throw new Error(where);
          t.notOk(/syntax error|SQLSTATE|pg_|relation /i.test(answer.text), where);
          t.not(codeOf(answer.envelope), 'INTERNAL', where);
          t.equal(found(answer.envelope), 0, `${where} finds nothing`);
        }
      }
      t.equal(await state(), before);
    });

    await t.test('control characters and U+0000 in any argument are refused', async (t) => {
      for (const text of ['a\u0000b', '\u0007ab', 'ab\u001b[31m', 'a\u001fb']) {
        for (const { entry, place, args } of strings(text)) {
          const where = `${entry.tool.name}.${place.path.join('.')}: ${JSON.stringify(text)}`;
          const answer = await run(entry.tool.name, args);
          t.match(answer, { kind: 'answer', isError: true }, where);
          if (answer.kind === 'answer') t.not(codeOf(answer.envelope), 'INTERNAL', where);
        }
      }
    });

    await t.test('a card number in any argument is refused, and nothing of it is kept', async (t) => {
      for (const { entry, place, args } of strings('pay 4111 1111 1111 1111 now')) {
        if (place.lookup) continue;
        const where = `${entry.tool.name}.${place.path.join('.')}`;
        const answer = await run(entry.tool.name, args);
        if (answer.kind !== 'answer') throw new Error(where);
        t.equal(codeOf(answer.envelope), 'SENSITIVE_INPUT', where);
        t.notOk(answer.text.includes('4111'), where);
      }
      // An identifier may look like a card number: it is compared, and nothing of it is kept either.
      for (const { entry, place, args } of strings('4111111111111111')) {
        if (!place.lookup) continue;
        const where = `${entry.tool.name}.${place.path.join('.')}`;
        const answer = await run(entry.tool.name, args);
        if (answer.kind !== 'answer') throw new Error(where);
        t.not(codeOf(answer.envelope), 'SENSITIVE_INPUT', where);
        t.notOk(answer.text.includes('4111111111111111'), where);
      }
      const gateway = app.postgres.connect(app.databases.gateway.owner);
      const kept = [
        await gateway`select * from audit_records`,
        await gateway`select * from approvals`,
        await owner`select * from mcp_ops.actuator_calls`,
        await owner`select * from mcp_ops.mqtt_outbox`,
      ];
      const dump = JSON.stringify(kept);
      const at = dump.search(/4111 ?1111 ?1111 ?1111/);
      t.equal(at < 0 ? '' : dump.slice(Math.max(0, at - 200), at), '', 'no table of ours has it');
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

    await t.test('every answer of all of this fits the published schema, and its text says the same', async (t) => {
      t.ok(answers > 50, `${answers} answers`);
      t.same([...misfits], []);
    });
  });
}
