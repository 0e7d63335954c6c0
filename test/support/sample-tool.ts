import { z } from 'zod';
import {
  defineServer,
  defineTool,
  paymentsEnvelope,
  type Server,
  success,
  type Tool,
  type ToolSpec,
} from '../../src/kit/index.ts';

/** A complete read tool; tests change one thing at a time. */
export function sampleTool(over: Partial<ToolSpec<z.ZodObject, z.ZodType, never>> = {}): Tool {
  return defineTool({
    name: 'get_widget',
    title: 'Get a widget',
    description: 'Reads one widget by its number.',
    access: { category: 'ADVISORY', trust: null, risk: 'read', readOnly: true, destructive: false },
    input: z.strictObject({ number: z.number().int().positive() }),
    output: z.strictObject({ number: z.number() }),
    reads: [],
    writes: [],
    needs: [],
    run: async (_context, input) => success({ number: (input as { number: number }).number }),
    ...over,
  });
}

/** A complete actuator. */
export function sampleActuator(over: Partial<ToolSpec<z.ZodObject, z.ZodType, never>> = {}): Tool {
  return sampleTool({
    name: 'turn_widget',
    title: 'Turn a widget',
    access: { category: 'EXECUTION', trust: null, risk: 'T1', readOnly: false, destructive: false },
    writes: [{ db: 'product', table: 'widgets', columns: ['turned'], operation: 'update' }],
    target: (input) => String((input as { number: number }).number),
    ...over,
  });
}

export function sampleServer(tools: readonly Tool[], over: Partial<Server> = {}): Server {
  return defineServer({
    name: 'sample',
    announcedAs: 'sample-mcp',
    title: 'Sample',
    version: '1.0.0',
    instructions: 'A server for tests.',
    envelope: paymentsEnvelope,
    tools,
    resources: [],
    prompts: [],
    ...over,
  });
}
