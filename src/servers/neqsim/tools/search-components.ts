import { z } from 'zod';
import { searchComponents as search } from '../../../engineering/thermo/index.ts';
import { defineTool, fields, success } from '../../../kit/index.ts';
import { CORE_ADVISORY } from '../access.ts';

export const searchComponents = defineTool({
  name: 'searchComponents',
  title: 'Search components',
  description:
    'Names of components that contain a text, as used in compositions (n-decane is nC10, carbon dioxide CO2). Empty query: all names.',
  access: CORE_ADVISORY,
  input: z.strictObject({ query: fields.text(64, 0).default('').describe('part of a name, any case') }),
  output: z.object({ query: z.string(), matchCount: z.int(), components: z.array(z.string()) }),
  reads: [],
  writes: [],
  needs: [],
  async run(_context, { query }) {
    const { components, byAlias } = search(query);
    // A name that only an alias has (n-decane for nC10) is found when no name contains the text.
    const names = components.length > 0 ? [...components] : [...byAlias];
    return success({ query, matchCount: names.length, components: names });
  },
});
