import { z } from 'zod';

/**
 * Marks that a schema's author puts on fields for the gates. They live in a registry of their own, so the published JSON Schema does not carry them.
 * - `identifier`, `instant`, `money`: output fields that the card scrubber leaves alone (an RRN or an exact amount is not a card number).
 * - `lookup`: input identifiers that are matched exactly and never stored, exempt from the card-number refusal (serial_number, mid).
 * - `auditable`: input fields that the audit record keeps, scrubbed, beside the digest of all arguments.
 */
export type Mark = 'identifier' | 'instant' | 'money' | 'lookup' | 'auditable';
const marks = z.registry<{ marks: readonly Mark[] }>();

export function mark<S extends z.ZodType>(schema: S, ...names: Mark[]): S {
  const copy = schema.clone() as S;
  marks.add(copy, { marks: [...new Set([...(marks.get(schema)?.marks ?? []), ...names])] });
  return copy;
}

/** Marks by place. `each` stands for array elements and record values. */
export interface MarkTree {
  readonly marks: readonly Mark[];
  readonly members: ReadonlyMap<string, MarkTree>;
  readonly each: MarkTree | null;
}
const NOTHING: MarkTree = { marks: [], members: new Map(), each: null };

function merge(a: MarkTree, b: MarkTree): MarkTree {
  if (a === NOTHING) return b;
  if (b === NOTHING) return a;
  const members = new Map(a.members);
  for (const [key, tree] of b.members) members.set(key, merge(members.get(key) ?? NOTHING, tree));
  const each = a.each && b.each ? merge(a.each, b.each) : (a.each ?? b.each);
  return { marks: [...new Set([...a.marks, ...b.marks])], members, each };
}

/** Collects the marks of a schema once, at compile time of the catalogue. Unknown schema kinds simply carry no marks inside. */
export function markTree(schema: z.ZodType): MarkTree {
  const own = marks.get(schema)?.marks ?? [];
  let inside = NOTHING;
  if (schema instanceof z.ZodObject) {
    const members = new Map<string, MarkTree>();
    for (const [key, member] of Object.entries(schema.shape)) {
      const tree = markTree(member as z.ZodType);
      if (tree !== NOTHING) members.set(key, tree);
    }
    if (members.size > 0) inside = { marks: [], members, each: null };
  } else if (schema instanceof z.ZodArray) {
    const each = markTree(schema.element as z.ZodType);
    if (each !== NOTHING) inside = { marks: [], members: new Map(), each };
  } else if (schema instanceof z.ZodRecord) {
    const each = markTree(schema.valueType as z.ZodType);
    if (each !== NOTHING) inside = { marks: [], members: new Map(), each };
  } else if (schema instanceof z.ZodUnion) {
    for (const option of schema.options) inside = merge(inside, markTree(option as z.ZodType));
  } else if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  ) {
    inside = markTree(schema.unwrap() as z.ZodType);
  } else if (schema instanceof z.ZodPipe) {
    inside = markTree(schema.in as z.ZodType);
  }
  return own.length === 0 ? inside : merge({ marks: own, members: new Map(), each: null }, inside);
}

/** True when the field at `path` carries one of `names`. */
export function isMarked(tree: MarkTree, path: readonly (string | number)[], names: readonly Mark[]): boolean {
  let at: MarkTree | null = tree;
  for (const key of path) {
    at = (typeof key === 'string' ? at.members.get(key) : undefined) ?? at.each;
    if (!at) return false;
  }
  return at.marks.some((name) => names.includes(name));
}
