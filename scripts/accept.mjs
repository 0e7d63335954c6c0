// Runs the handed acceptance cases against a running gateway. They lie beside the repository, not in it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const shared = join(dirname(fileURLToPath(import.meta.url)), '../../shared');
const runner = join(shared, 'accept/run.mjs');
if (!existsSync(runner)) {
  console.error('There are no handed cases here: npm run accept needs ../shared/accept beside the repository.');
  process.exit(2);
}
const args = process.argv.slice(2);
const named = args.some((arg) => arg.endsWith('.jsonl'));
const cases = join(shared, 'reference/neqsim');
const files = named
  ? []
  : readdirSync(cases)
      .filter((file) => file.endsWith('.jsonl'))
      .map((file) => join(cases, file));
const url = args.includes('--url') ? [] : ['--url', `http://127.0.0.1:${process.env.PORT ?? 8080}`];
const run = spawnSync(process.execPath, [runner, ...url, ...args, ...files], { stdio: 'inherit' });
process.exit(run.status ?? 2);
