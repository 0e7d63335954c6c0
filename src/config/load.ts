import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { CONTRACT_NAMES, environmentName, fromEnvironment } from './environment.ts';
import { refusals } from './refusals.ts';
import { type Config, configSchema, isSecret } from './schema.ts';

/** The folder of the installation: config/ and migrations/ lie there, wherever the process was started. */
export const HOME = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** A configuration that cannot be started with. `lines` are for people: one finding a line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/**
 * Reads config/default.yaml, then the file named by PENSTOCK_CONFIG or the enterprise file when the mode asks for it, then the environment,
 * each overriding the one before, and checks the whole.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const layers: Record<string, unknown>[] = [readYaml(join(HOME, 'config/default.yaml'))];
  const { values, unknown } = fromEnvironment(env, leafPaths(configSchema));
  if (unknown.length > 0) {
    throw new ConfigError(unknown.map((name) => `configuration: ${name} is not a setting of this release`));
  }
  if (env['PENSTOCK_CONFIG']) {
    const file = isAbsolute(env['PENSTOCK_CONFIG']) ? env['PENSTOCK_CONFIG'] : resolve(env['PENSTOCK_CONFIG']);
    if (!existsSync(file)) throw new ConfigError([`configuration: the file named by PENSTOCK_CONFIG does not exist`]);
    layers.push(readYaml(file));
  } else if (values.get('mode') === 'enterprise') {
    layers.push(readYaml(join(HOME, 'config/enterprise.yaml')));
  }
  const merged = layers.reduce<Record<string, unknown>>((all, layer) => deepMerge(all, layer), {});
  for (const [path, value] of values) setPath(merged, path, value);
  const parsed = configSchema.safeParse(merged);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => {
        const path = issue.path.map(String).join('.');
        if (issue.code === 'unrecognized_keys')
          return `configuration: unknown setting ${[path, issue.keys.join(', ')].filter(Boolean).join('.')}`;
        return `configuration: ${path} (${nameOf(path)}): ${issue.message}`;
      }),
    );
  }
  const findings = refusals(parsed.data);
  if (findings.length > 0) throw new ConfigError(findings.map((line) => `configuration: ${line}`));
  return parsed.data;
}

const nameOf = (path: string): string =>
  Object.entries(CONTRACT_NAMES).find(([, setting]) => setting === path)?.[0] ?? environmentName(path);

function readYaml(file: string): Record<string, unknown> {
  try {
    return (parse(readFileSync(file, 'utf8')) as Record<string, unknown> | null) ?? {};
  } catch (cause) {
    throw new ConfigError([
      `configuration: ${file} cannot be read as YAML: ${cause instanceof Error ? cause.message.split('\n')[0] : ''}`,
    ]);
  }
}

function deepMerge(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const out = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = out[key];
    out[key] = isPlain(before) && isPlain(value) ? deepMerge(before, value) : value;
  }
  return out;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function setPath(target: Record<string, unknown>, path: string, value: unknown): void {
  const parts = path.split('.');
  let at = target;
  for (const part of parts.slice(0, -1)) {
    if (!isPlain(at[part])) at[part] = {};
    at = at[part] as Record<string, unknown>;
  }
  at[parts.at(-1)!] = value;
}

function core(schema: z.ZodType): z.ZodType {
  let at = schema;
  while (
    at instanceof z.ZodDefault ||
    at instanceof z.ZodPrefault ||
    at instanceof z.ZodNullable ||
    at instanceof z.ZodOptional
  ) {
    at = at.unwrap() as z.ZodType;
  }
  return at;
}

function leafPaths(schema: z.ZodType, base = ''): string[] {
  const at = core(schema);
  if (!(at instanceof z.ZodObject)) return [base];
  return Object.entries(at.shape).flatMap(([key, member]) =>
    leafPaths(member as z.ZodType, base ? `${base}.${key}` : key),
  );
}

/** The effective configuration for people: every secret is replaced by whether it is set. */
export function printable(config: unknown, schema: z.ZodType = configSchema): unknown {
  const at = core(schema);
  if (isSecretField(schema)) return config === null || config === undefined ? null : '(set)';
  if (at instanceof z.ZodObject && isPlain(config)) {
    return Object.fromEntries(
      Object.entries(config).map(([key, value]) => {
        const member = at.shape[key] as z.ZodType | undefined;
        return [key, member ? printable(value, member) : value];
      }),
    );
  }
  if (Array.isArray(config) && at instanceof z.ZodArray)
    return config.map((value) => printable(value, at.element as z.ZodType));
  return config;
}

function isSecretField(schema: z.ZodType): boolean {
  let at = schema;
  for (;;) {
    if (isSecret(at)) return true;
    if (
      at instanceof z.ZodDefault ||
      at instanceof z.ZodPrefault ||
      at instanceof z.ZodNullable ||
      at instanceof z.ZodOptional
    ) {
      at = at.unwrap() as z.ZodType;
    } else return false;
  }
}
