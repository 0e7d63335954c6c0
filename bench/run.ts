/**
 * `npm run bench [-- --engine|--gateway|--robust|--round-trips|--saturation-points]`: measures and prints. Without a name the engine and the gateway are measured; the
 * others take minutes.
 */
const BENCHES: Readonly<Record<string, () => Promise<{ run(): Promise<void> }>>> = {
  engine: () => import('./engine.ts'),
  gateway: () => import('./gateway.ts'),
  robust: () => import('./robust.ts'),
  'round-trips': () => import('./round-trips.ts'),
  'saturation-points': () => import('./saturation-points.ts'),
};
const BY_DEFAULT = ['engine', 'gateway'];
/** Options that a bench reads itself, with the number of values each takes. */
const OPTIONS: Readonly<Record<string, number>> = { states: 1, model: 1, seed: 1, sample: 1, allocation: 0 };

const wanted: string[] = [];
const unknown: string[] = [];
const given = process.argv.slice(2).map((argument) => argument.replace(/^--/, ''));
for (let k = 0; k < given.length; k++) {
  const name = given[k]!;
  if (Object.hasOwn(BENCHES, name)) wanted.push(name);
  else if (Object.hasOwn(OPTIONS, name)) k += OPTIONS[name]!;
  else unknown.push(name);
}
if (unknown.length > 0) {
  const names = [...Object.keys(BENCHES), ...Object.keys(OPTIONS)].map((name) => `--${name}`);
  console.error(`no bench or option ${unknown.join(', ')}; there are ${names.join(', ')}`);
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : BY_DEFAULT) {
  console.log(`\n== ${name} ==`);
  const bench = await BENCHES[name]!();
  await bench.run();
}
process.exit(0);
