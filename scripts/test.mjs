// Everything a change must pass: types, lint, import rules, tests. Ends with "N passed, N failed".
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Debian packages whose programs the tests run for real, by the program that shows they are there. */
const PACKAGES = { mosquitto: 'mosquitto' };

const has = (program) =>
  spawnSync('sh', ['-c', `command -v ${program} || ls /usr/sbin/${program}`], { stdio: 'ignore' }).status === 0;

function installPackages() {
  const missing = Object.entries(PACKAGES)
    .filter(([program]) => !has(program))
    .map(([, name]) => name);
  if (missing.length === 0) return;
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const done =
    has('apt-get') && apt('update', '-qq') && apt('install', '-y', '-qq', '--no-install-recommends', ...missing);
  if (!done) {
    console.error(`The tests need the Debian packages ${missing.join(', ')} and could not install them.`);
    process.exit(1);
  }
}

function step(name, command, ...args) {
  const started = performance.now();
  const run = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const good = run.status === 0;
  console.log(`${good ? 'ok' : 'not ok'} - ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (!good) {
    console.log(`${run.stdout ?? ''}${run.stderr ?? ''}`);
    console.log('0 passed, 1 failed');
    process.exit(1);
  }
}

/** Runs tap and prints a line a file, the failures in full, and the totals. */
async function tests() {
  const files = process.argv.slice(2);
  const child = spawn('npx', ['tap', '--reporter=tap', ...files], { stdio: ['ignore', 'pipe', 'inherit'] });
  const totals = { passed: 0, failed: 0 };
  let diagnosing = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const result = /^(\s*)(not ok|ok) \d+ - (.*)$/.exec(line);
    if (result) {
      const [, indent, verdict, text] = result;
      const isGroup = /# time=|\{$/.test(text);
      if (indent === '') console.log(`${verdict} - ${text.replace(/ \{$/, '')}`);
      else if (verdict === 'not ok') console.log(`${indent}${verdict} - ${text}`);
      if (!isGroup) totals[verdict === 'ok' ? 'passed' : 'failed'] += 1;
      diagnosing = verdict === 'not ok' ? 40 : 0;
    } else if (diagnosing > 0) {
      diagnosing -= 1;
      console.log(line);
    }
  }
  const code = await new Promise((resolve) =>
    child.exitCode === null ? child.on('close', resolve) : resolve(child.exitCode),
  );
  if (code !== 0 && totals.failed === 0) totals.failed = 1;
  console.log(`${totals.passed} passed, ${totals.failed} failed`);
  process.exit(code === 0 && totals.failed === 0 && totals.passed > 0 ? 0 : 1);
}

installPackages();
step('types', 'npx', 'tsc', '--noEmit', '-p', 'tsconfig.json');
step('lint and format', 'npx', 'biome', 'check', '.');
step('import rules', 'node', 'scripts/check-imports.mjs');
step('test plugins', 'npx', 'tap', 'build');
await tests();
