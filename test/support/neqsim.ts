import { toFailure } from '../../src/governance/failure.ts';
import { readArguments } from '../../src/kit/catalogue.ts';
import { type CallFacts, type JsonObject, neqsimEnvelope, type Tool, ToolError } from '../../src/kit/index.ts';
import { NO_CONTROL } from '../../src/servers/neqsim/calculation.ts';
import { CALCULATIONS } from '../../src/servers/neqsim/calculation-table.ts';
import type { Calculations } from '../../src/servers/neqsim/calculations.ts';

/**
 * Calls a tool of the engineering server without the gates: arguments through its schema, the calculation in this thread, the answer through
 * its output schema and rendered as the envelope that a client reads.
 */
const inThisThread: Calculations = {
  run: async (name, input) => CALCULATIONS[name](structuredClone(input) as never, NO_CONTROL),
  threads: 0,
  close: async () => {},
};

export async function ask(tool: Tool, args: JsonObject): Promise<Answer> {
  const facts: CallFacts = {
    announcedAs: 'neqsim',
    tool: tool.name,
    requestId: 'request',
    traceId: null,
    generatedAt: new Date().toISOString(),
    durationMs: 1,
    mode: 'DESKTOP_ENGINEER',
    trust: tool.access.trust,
  };
  try {
    const read = readArguments(tool.input, args);
    if (!read.ok) throw new ToolError('INPUT_ERROR', neqsimEnvelope.refusal(read.issues));
    const context = { use: { calculations: inThisThread }, signal: new AbortController().signal, progress: () => {} };
    const answer = await tool.run(context as never, read.value);
    tool.output.parse(answer.data);
    return render(answer);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return render(toFailure(error, null));
  }

  function render(result: Parameters<typeof neqsimEnvelope.render>[0]): Answer {
    return JSON.parse(JSON.stringify(neqsimEnvelope.render(result, facts))) as Answer;
  }
}

/** An envelope as JSON; tests read what they look at. */
// biome-ignore lint/suspicious/noExplicitAny: the shape differs by tool, and a wrong path makes the test fail
export type Answer = Record<string, any>;

export const codes = (answer: Answer): string[] =>
  (answer['warningDetails'] ?? []).map((warning: { code: string }) => warning.code);
