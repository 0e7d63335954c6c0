import { type Issue, ToolError } from './errors.ts';

/** A refusal of one argument that its schema alone cannot make, in the shape of a schema refusal. `path` is dotted: `filters.from`. */
export function refuseArgument(path: string, rule: string, message: string): ToolError {
  const issue: Issue = { path, rule, message };
  return new ToolError('INVALID_ARGUMENT', { message, details: { issues: [{ ...issue }] } });
}
