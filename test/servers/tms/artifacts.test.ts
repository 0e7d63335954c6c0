import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { ToolError } from '../../../src/kit/index.ts';
import { buildArtifact, mergeParameters, nextVersion } from '../../../src/servers/tms/artifacts/build.ts';
import { parseExact, writeExact } from '../../../src/servers/tms/artifacts/exact-json.ts';
import { artifactStore } from '../../../src/servers/tms/artifacts/store.ts';
import { storedZip } from '../../../src/servers/tms/artifacts/zip.ts';
import { emvContent } from '../../support/emv-content.ts';
import { unzipStored } from '../../support/unzip.ts';

const refusal = (work: () => unknown): ToolError => {
  try {
    work();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};
const problems = (work: () => unknown) => (refusal(work).details as { problems: string[] }).problems;

t.test('the ZIP of given members has the bytes that another writer gives', async (t) => {
  const zip = storedZip([
    { name: 'params.json', bytes: Buffer.from('{"a":"1"}') },
    { name: 'manifest.json', bytes: Buffer.from('{}') },
    { name: 'empty.json', bytes: Buffer.alloc(0) },
  ]);
  // Python 3 zipfile, ZIP_STORED, ZipInfo(name, (1980, 1, 1, 0, 0, 0)) with create_system 0, versions 10 and the external attributes cleared.
  t.equal(
    createHash('sha256').update(zip).digest('hex'),
    'cb6285bee98c5fc39d5e9ade7ced1b9e42193c10599dbdd056802cf53e0b80c1',
  );
  t.throws(() => storedZip([{ name: 'ä', bytes: Buffer.alloc(0) }]), RangeError);
  t.throws(
    () =>
      storedZip([
        { name: 'a', bytes: Buffer.alloc(0) },
        { name: 'a', bytes: Buffer.alloc(0) },
      ]),
    RangeError,
  );
});

t.test('members come back whole, in name order, whatever their order was', async () => {
  const member = fc.record({
    name: fc.stringMatching(/^[a-z0-9._-]{1,20}$/),
    bytes: fc.uint8Array({ maxLength: 300 }),
  });
  fc.assert(
    fc.property(fc.uniqueArray(member, { selector: (m) => m.name, maxLength: 12 }), (members) => {
      const zip = storedZip(members);
      if (!Buffer.from(zip).equals(storedZip([...members].reverse()))) return false;
      const read = unzipStored(zip);
      return (
        read.size === members.length &&
        members.every(({ name, bytes }) => Buffer.from(read.get(name) ?? [255]).equals(Buffer.from(bytes)))
      );
    }),
  );
  if (crc32(Buffer.from('123456789')) !== 0xcbf43926) throw new Error('CRC-32 check value');
});

t.test('numbers keep their digits from the database to the file', async (t) => {
  const text = '{"b": 12345678901234567890, "a": [1.10, -2e+5, "1.10", "\\"7"], "c": {"é": null, "z": true}}';
  t.equal(
    writeExact(parseExact(text)),
    '{"a":[1.10,-2e+5,"1.10","\\"7"],"b":12345678901234567890,"c":{"z":true,"é":null}}',
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      if (text.includes('\\u0000')) return true; // jsonb cannot hold U+0000
      const again = JSON.parse(writeExact(parseExact(text)));
      return JSON.stringify(sorted(again)) === JSON.stringify(sorted(JSON.parse(text)));
    }),
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)]);
}

const template = {
  id: 7,
  version: '4.2.0',
  content: '{"timeout_s": 30, "currency": "AED", "amount_max": 12345678901234567890}',
};

t.test("a terminal's own parameters lie over the template, key by key", async (t) => {
  const merged = mergeParameters('parameter', template, [
    { paramKey: 'timeout_s', paramValue: '45' },
    { paramKey: '__proto__', paramValue: 'x' },
  ]);
  t.equal(
    writeExact(merged.content),
    '{"__proto__":"x","amount_max":12345678901234567890,"currency":"AED","timeout_s":"45"}',
  );
});

t.test('the source hash changes with content, template id and template version, and with nothing else', async (t) => {
  const hash = (over: object, parameters: { paramKey: string; paramValue: string | null }[] = []) =>
    mergeParameters('parameter', { ...template, ...over }, parameters).sourceHash;
  const base = hash({});
  t.equal(hash({ content: '{"amount_max":12345678901234567890,"currency":"AED",  "timeout_s":30}' }), base);
  const others = [
    hash({ id: 8 }),
    hash({ version: '4.2.1' }),
    hash({ content: template.content.replace('890', '891') }),
    hash({}, [{ paramKey: 'a', paramValue: null }]),
    hash({}, [{ paramKey: 'a', paramValue: '' }]),
    hash({}, [{ paramKey: 'currency', paramValue: 'BHD' }]),
  ];
  t.equal(new Set([base, ...others]).size, 7);
});

t.test('the same inputs give the same file, and the manifest tells what is in it', async (t) => {
  const { content } = mergeParameters('parameter', template, [{ paramKey: 'wifi', paramValue: 'sécret' }]);
  const about = { serialNumber: '端末-0007', version: '4.2.0.1' };
  const one = buildArtifact('parameter', about, content);
  t.equal(one.sha256, buildArtifact('parameter', about, content).sha256);
  t.equal(one.sha256, 'ddbda54671ac26343386c0a136fc2430916dc9e28bdb67198ca406199707ce15');
  const files = unzipStored(one.bytes);
  t.same([...files.keys()], ['manifest.json', 'params.json']);
  const manifest = JSON.parse(Buffer.from(files.get('manifest.json')!).toString()) as Record<string, unknown>;
  const params = files.get('params.json')!;
  t.same(manifest, {
    format: 1,
    config_type: 'parameter',
    serial_number: '端末-0007',
    version: '4.2.0.1',
    files: [{ name: 'params.json', sha256: createHash('sha256').update(params).digest('hex'), size: params.length }],
  });
  t.match(Buffer.from(params).toString(), /"wifi":"sécret"/);
});

t.test('an EMV file holds the named members and nothing else', async (t) => {
  const content = emvContent();
  const merged = mergeParameters(
    'emv_config',
    { id: 1, version: '1.0', content: JSON.stringify({ ...content, master_value: 'x' }) },
    [
      { paramKey: 'terminal.9F1A', paramValue: '0048' },
      { paramKey: 'aids.A0000000031010.floor_limit', paramValue: '00000000' },
    ],
  );
  const { bytes } = buildArtifact('emv_config', { serialNumber: 'A', version: '1.0.1' }, merged.content);
  const files = unzipStored(bytes);
  t.same([...files.keys()], ['aids.json', 'capks.json', 'exclusions.json', 'manifest.json', 'terminal.json']);
  const text = (name: string) => Buffer.from(files.get(name)!).toString();
  t.match(JSON.parse(text('terminal.json')), { '9F1A': '0048', '9F35': '22' });
  t.match(JSON.parse(text('aids.json')), [{ aid: 'A0000000031010', floor_limit: '00000000' }]);
  t.notMatch([...files.keys()].map(text).join(), /master_value|private_exponent/);
});

t.test('an EMV source that is not complete is refused with every problem named', async (t) => {
  const build = (change: (content: ReturnType<typeof emvContent>) => void) => {
    const content = emvContent();
    change(content);
    return problems(() =>
      buildArtifact('emv_config', { serialNumber: 'A', version: '1' }, parseExact(JSON.stringify(content)) as never),
    );
  };
  t.same(
    build((c) => delete c.aids[0]!['tac_online']),
    ['aid A0000000031010: tac_online is missing'],
  );
  t.same(
    build((c) => (c.aids = [])),
    ['there are no AIDs'],
  );
  t.match(
    build((c) => (c.terminal['9F33'] = 'E0F8')),
    [/9F33 .* is not 3 bytes/],
  );
  t.match(
    build((c) => delete (c.terminal as Record<string, unknown>)['9F35']),
    [/9F35 .* missing/],
  );
  t.match(
    build((c) => (c.capks[0]!['index'] = '93')),
    [/check sum does not fit/],
  );
  t.match(
    build((c) => (c.exclusions = ['4111111111111111'])),
    [/BINs/],
  );
  t.match(
    problems(() =>
      mergeParameters('emv_config', { id: 1, version: '1', content: JSON.stringify(emvContent()) }, [
        { paramKey: 'aids.A9999999999.ddol', paramValue: '' },
      ]),
    ),
    [/leads nowhere/],
  );
  t.match(
    problems(() => mergeParameters('parameter', { id: 1, version: '1', content: '[]' }, [])),
    [/not an object/],
  );
});

t.test('a file over 5 MiB is refused', async (t) => {
  const build = (size: number) =>
    buildArtifact('parameter', { serialNumber: 'A', version: '1' }, { a: 'x'.repeat(size) });
  t.equal(refusal(() => build(5 * 1024 * 1024)).code, 'CONFLICT');
  t.ok(build(5 * 1024 * 1024 - 1000));
});

t.test('the counter of a version counts on from the highest build of the same template version', async (t) => {
  t.equal(nextVersion('4.2.0', []), '4.2.0.1');
  t.equal(nextVersion('4.2.0', ['4.2.0.9', '4.2.0.10', '4.2.1.44', '4.2.0', '4.2.0.x', '4.2.00.77']), '4.2.0.11');
  t.equal(refusal(() => nextVersion('v'.repeat(32), [])).code, 'CONFLICT');
});

t.test('the store keeps a file once, whole, under its content', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'artifacts-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const store = artifactStore(folder);
  const bytes = Buffer.from('content of a file');
  const [one, two] = await Promise.all([store.put(bytes), store.put(bytes)]);
  t.same(one, two);
  t.ok(Buffer.from(await store.get(one.storageKey)).equals(bytes));
  t.equal((await readdir(join(folder, 'config', one.sha256.slice(0, 2)))).length, 1, 'nothing is left aside');
  t.equal((await stat(join(folder, one.storageKey))).mode & 0o777, 0o600);
  for (const key of ['../../etc/passwd', 'config/aa/../../x', '', one.storageKey.replace('.zip', '')]) {
    await t.rejects(store.get(key), { code: 'NOT_FOUND' }, key);
  }
});

t.test('the sweep removes old files that no row names, and only those', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'artifacts-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const store = artifactStore(folder);
  const named = await store.put(Buffer.from('named'));
  const orphan = await store.put(Buffer.from('orphan'));
  const young = await store.put(Buffer.from('young'));
  await writeFile(join(folder, 'package.apk'), 'not ours');
  const old = new Date(Date.now() - 100_000);
  for (const key of [named.storageKey, orphan.storageKey, 'package.apk']) await utimes(join(folder, key), old, old);
  const asked: string[][] = [];
  t.equal(
    await store.sweep(async (keys) => {
      asked.push(keys);
      return new Set(keys.filter((key) => key === named.storageKey));
    }, 50_000),
    1,
  );
  t.same(asked.flat().sort(), [named.storageKey, orphan.storageKey].sort());
  await t.rejects(store.get(orphan.storageKey), { code: 'NOT_FOUND' });
  t.ok(await store.get(young.storageKey));
  t.ok(await stat(join(folder, 'package.apk')));
});

t.test('a folder that cannot be written is a dependency that is down', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'artifacts-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'config'), 'a file where the folder should be');
  await t.rejects(artifactStore(folder).put(Buffer.from('x')), { code: 'DEPENDENCY_UNAVAILABLE' });
});
