// Checks the import directions of .dependency-cruiser.cjs. A run that read no module proves nothing, so it fails.
import { createRequire } from 'node:module';
import { cruise } from 'dependency-cruiser';

const require = createRequire(import.meta.url);
const config = require('../.dependency-cruiser.cjs');
const { output } = await cruise(['src'], {
  ruleSet: { forbidden: config.forbidden },
  validate: true,
  ...config.options,
});
const { summary } = output;
for (const v of summary.violations) console.error(`${v.rule.name}: ${v.from} -> ${v.to}`);
if (summary.totalCruised === 0) {
  console.error('dependency-cruiser read 0 modules: is @swc/core installed?');
  process.exit(1);
}
console.log(`imports: ${summary.totalCruised} modules, ${summary.violations.length} violations`);
process.exit(summary.violations.length === 0 ? 0 : 1);
