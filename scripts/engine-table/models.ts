/** Range, standing and notes of every model, as the model itself states them. */
import { createModel, getComponent, type ModelId, mixingRules, modelIds } from '../../src/engineering/thermo/index.ts';

/** Components that bring out every note. */
const EXAMPLE: Partial<Record<ModelId, readonly string[]>> = {
  UMRPRU: ['methane', 'water'],
  IF97: ['water'],
  HELMHOLTZ: ['propane'],
};

const stated = () =>
  modelIds().map((id) => ({ id, ...createModel(id, (EXAMPLE[id] ?? ['methane']).map(getComponent)).validity }));

export function modelTable(): string {
  return [
    '| Model | T [K] | p up to [bara] | Standing | Mixing rules, the default first | Source |',
    '| --- | --- | --- | --- | --- | --- |',
    ...stated().map(({ id, minT, maxT, maxP, status, reference }) => {
      const range = id === 'HELMHOLTZ' ? ['of the fluid', 'of the fluid'] : [`${minT} to ${maxT}`, `${maxP / 1e5}`];
      const source = id === 'HELMHOLTZ' ? 'named with each fluid' : reference;
      return `| ${[id, ...range, status, mixingRules(id).join(', ') || 'its own', source].join(' | ')} |`;
    }),
  ].join('\n');
}

export function modelNotes(): string {
  return stated()
    .map(({ id, notes }) => [`**${id}**`, '', ...notes.map((note) => `- ${note}`)].join('\n'))
    .join('\n\n');
}
