import type { Warning } from './result.ts';

/** One SCHEMA_DRIFT when the database lacks optional columns of the tool, else nothing. */
export function schemaDrift(context: { readonly drift: ReadonlySet<string> }): Warning[] {
  if (context.drift.size === 0) return [];
  const missing = [...context.drift].sort();
  return [
    {
      code: 'SCHEMA_DRIFT',
      severity: 'WARNING',
      message: `The database lacks ${missing.length} optional columns; their values are null.`,
      details: { missing },
    },
  ];
}
