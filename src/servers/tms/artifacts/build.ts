import { sha256, ToolError } from '../../../kit/index.ts';
import { emvFiles, type SourceFile } from './emv.ts';
import { type ExactObject, type ExactValue, parseExact, writeExact } from './exact-json.ts';
import { storedZip } from './zip.ts';

/**
 * Building the file that a terminal downloads: a template, overlaid with the terminal's own parameters, as a ZIP.
 * Guarantees: the same template, parameters and version give the same bytes on every machine; no number changes its digits on the way.
 * Values of secret parameters are in the bytes and in nothing else that this module returns or throws.
 */
export type BuiltType = 'parameter' | 'emv_config';

export interface Template {
  readonly id: number;
  readonly version: string;
  /** Text of the `jsonb` content. */
  readonly content: string;
}

export interface Parameter {
  readonly paramKey: string;
  readonly paramValue: string | null;
}

export interface Merge {
  readonly content: ExactObject;
  /** SHA-256 over the merge and the template's id and version: changes exactly when a build would. */
  readonly sourceHash: string;
}

export const MAX_ARTIFACT_BYTES = 5 * 1024 * 1024;

/**
 * Lays the terminal's parameters over the template, key by key. In `parameter` a key is a member's name. In `emv_config` it is a path:
 * `terminal.<tag>`, or `aids.<AID>.<field>` of an AID that the template has.
 * Throws CONFLICT (`details.problems`) when a key leads nowhere or the template is not an object.
 */
export function mergeParameters(type: BuiltType, template: Template, parameters: readonly Parameter[]): Merge {
  const content = parseExact(template.content);
  if (content === null || typeof content !== 'object' || Array.isArray(content))
    throw problem(['the template is not an object']);
  const unknown: string[] = [];
  for (const { paramKey, paramValue } of parameters) {
    const target = type === 'parameter' ? { place: content, member: paramKey } : emvPlace(content, paramKey);
    if (target) {
      // Not an assignment: a key named __proto__ is a member like any other.
      Object.defineProperty(target.place, target.member, {
        value: paramValue,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else unknown.push(`parameter ${JSON.stringify(paramKey)} leads nowhere in the template`);
  }
  if (unknown.length > 0) throw problem(unknown);
  return {
    content,
    sourceHash: sha256(
      `{"content":${writeExact(content)},"template":${template.id},"version":${JSON.stringify(template.version)}}`,
    ),
  };
}

function emvPlace(content: ExactObject, path: string): { place: ExactObject; member: string } | null {
  const [head, ...rest] = path.split('.');
  if (head === 'terminal' && rest.length === 1) {
    const terminal = content['terminal'];
    return isObject(terminal) ? { place: terminal, member: rest[0]! } : null;
  }
  if (head === 'aids' && rest.length === 2) {
    const aids = content['aids'];
    const row = Array.isArray(aids) ? aids.find((entry) => isObject(entry) && entry['aid'] === rest[0]) : undefined;
    return isObject(row) ? { place: row, member: rest[1]! } : null;
  }
  return null;
}

export interface BuiltArtifact {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly files: readonly { readonly name: string; readonly size: number }[];
}

/** Throws CONFLICT: `details.problems` lists what is missing or malformed; or the file is over 5 MiB. */
export function buildArtifact(
  type: BuiltType,
  about: { readonly serialNumber: string; readonly version: string },
  content: ExactObject,
): BuiltArtifact {
  const source: { files: SourceFile[]; problems: string[] } =
    type === 'parameter'
      ? { files: [{ name: 'params.json', text: writeExact(content) }], problems: [] }
      : emvFiles(content);
  if (source.problems.length > 0) throw problem(source.problems);
  const members = source.files.map(({ name, text }) => ({ name, bytes: Buffer.from(text, 'utf8') }));
  const manifest = {
    format: 1,
    config_type: type,
    serial_number: about.serialNumber,
    version: about.version,
    files: members.map(({ name, bytes }) => ({ name, sha256: sha256(bytes), size: bytes.length })),
  };
  members.push({ name: 'manifest.json', bytes: Buffer.from(JSON.stringify(manifest), 'utf8') });
  const bytes = storedZip(members);
  if (bytes.length > MAX_ARTIFACT_BYTES) {
    throw new ToolError('CONFLICT', {
      message: 'The configuration file is over 5 MiB.',
      details: { reason: 'artifact_too_large', max_bytes: MAX_ARTIFACT_BYTES, size_bytes: bytes.length },
    });
  }
  return {
    bytes,
    sha256: sha256(bytes),
    files: members.map(({ name, bytes: { length } }) => ({ name, size: length })),
  };
}

/** The version of the next build of a template: its own version, a dot and a counter. Throws CONFLICT when that is over 32 characters. */
export function nextVersion(templateVersion: string, earlier: readonly string[]): string {
  const counters = earlier
    .filter((version) => version.startsWith(`${templateVersion}.`))
    .map((version) => version.slice(templateVersion.length + 1))
    .filter((rest) => /^\d{1,9}$/.test(rest))
    .map(Number);
  const version = `${templateVersion}.${Math.max(0, ...counters) + 1}`;
  if (version.length > 32) throw problem(['the version of the template is too long']);
  return version;
}

function problem(problems: string[]): ToolError {
  return new ToolError('CONFLICT', {
    message: `The configuration file cannot be built: ${problems.slice(0, 3).join('; ')}.`,
    details: { reason: 'cannot_build', problems: problems.slice(0, 50) },
  });
}

const isObject = (value: ExactValue | undefined): value is ExactObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
