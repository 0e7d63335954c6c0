/** Import directions of design section 2: app -> protocol -> governance -> identity, storage, telemetry -> kit. */
const room = (name) => `^src/${name}/`;
const only = (from, allowed) => ({
  name: `${from}-imports-only-${allowed.join('-') || 'itself'}`,
  severity: 'error',
  from: { path: room(from) },
  to: { path: '^src/', pathNot: [room(from), ...allowed.map(room)] },
});
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    only('kit', []),
    only('engineering', []),
    only('config', ['kit']),
    only('telemetry', ['kit', 'config']),
    only('storage', ['kit', 'config']),
    only('identity', ['kit', 'config', 'storage']),
    only('messaging', ['kit', 'config', 'storage']),
    only('governance', ['kit', 'config', 'identity', 'storage', 'telemetry']),
    only('protocol', ['kit', 'config', 'identity', 'governance', 'telemetry']),
    only('servers', ['kit', 'storage', 'messaging', 'engineering']),
    only('demo', ['kit', 'config', 'storage', 'messaging']),
    {
      name: 'servers-do-not-import-each-other',
      severity: 'error',
      from: { path: '^src/servers/([^/]+)/' },
      to: { path: '^src/servers/', pathNot: '^src/servers/$1/' },
    },
    {
      name: 'sdk-stays-in-protocol',
      severity: 'error',
      from: { path: '^src/', pathNot: room('protocol') },
      to: { path: 'node_modules/@modelcontextprotocol' },
    },
    { name: 'src-never-imports-tests', severity: 'error', from: { path: '^src/' }, to: { path: '^(test|bench)/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs', '.json'] },
  },
};
