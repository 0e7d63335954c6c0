/** `npm run bench [-- --engine|--gateway]`: measures side by side in one run and prints ratios. Without an option all are run. */
const BENCHES: Readonly<Record<string, () => Promise<{ run(): Promise<void> }>>> = {
  engine: () => import('./engine.ts'),
  gateway: () => import('./gateway.ts'),
};

const wanted = process.argv.slice(2).map((argument) => argument.replace(/^--/, ''));
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(
    `no bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES)
      .map((name) => `--${name}`)
      .join(', ')}`,
  );
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : Object.keys(BENCHES)) {
  console.log(`\n== ${name} ==`);
  const bench = await BENCHES[name]!();
  await bench.run();
}
process.exit(0);
