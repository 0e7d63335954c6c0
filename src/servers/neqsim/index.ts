import { defineServer, neqsimEnvelope } from '../../kit/index.ts';
import { getPhaseEnvelope } from './tools/get-phase-envelope.ts';
import { getPropertyTable } from './tools/get-property-table.ts';
import { runBatch } from './tools/run-batch.ts';
import { runFlash } from './tools/run-flash.ts';
import { searchComponents } from './tools/search-components.ts';

/** Process engineering: NeqSim MCP Tool Contract v1 on our own engine. Tools that are not listed here are not offered yet. */
export const neqsim = defineServer({
  name: 'neqsim',
  announcedAs: 'neqsim',
  title: 'Process engineering',
  version: '1.7-mcp-1.7',
  instructions:
    'Thermodynamics of process fluids. Look names up with searchComponents, then runFlash for one state, getPropertyTable or runBatch for many, getPhaseEnvelope for the phase boundary. Answers carry units, convergence, warnings and limits; read the warnings before use.',
  envelope: neqsimEnvelope,
  bodyLimit: 4 * 1024 * 1024,
  tools: [runFlash, getPropertyTable, getPhaseEnvelope, runBatch, searchComponents],
  resources: [],
  prompts: [],
});
