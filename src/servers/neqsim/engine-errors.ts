import { isEngineError } from '../../engineering/thermo/index.ts';
import { ToolError } from '../../kit/index.ts';
import { toBara } from './units.ts';

/** Turns the engine's typed failures into the contract's codes. Anything else is a fault of ours and passes on. */
export function asToolError(error: unknown): unknown {
  if (!isEngineError(error)) return error;
  const failure = error.details;
  switch (failure.kind) {
    case 'unknown-component':
      return new ToolError('UNKNOWN_COMPONENT', {
        message: `Unknown component "${failure.name}"${failure.suggestion ? `; did you mean "${failure.suggestion}"?` : '.'}`,
        ...(failure.suggestion
          ? { remediation: `Use "${failure.suggestion}", or look names up with searchComponents.` }
          : {}),
        details: { component: failure.name, ...(failure.suggestion ? { suggestion: failure.suggestion } : {}) },
      });
    case 'invalid-input':
    case 'missing-data':
      return new ToolError('FLUID_ERROR', { message: `${error.message}.` });
    case 'outside-range':
    case 'spec-unreachable':
    case 'not-converged':
    case 'trivial':
      return new ToolError('FLASH_ERROR', { message: `${inBara(error.message)}.` });
  }
}

/** The engine speaks SI; the tools speak bara. */
function inBara(text: string): string {
  return text
    .replaceAll(
      /(\d[\d.]*(?:e[+-]?\d+)?) (to|and) (\d[\d.]*(?:e[+-]?\d+)?) Pa\b/g,
      (_all, from, word, to) => `${bara(from)} ${word} ${bara(to)} bara`,
    )
    .replaceAll(/(\d[\d.]*(?:e[+-]?\d+)?) Pa\b/g, (_all, p) => `${bara(p)} bara`);
}

const bara = (pascal: string): string => String(Number(toBara(Number(pascal)).toPrecision(6)));
