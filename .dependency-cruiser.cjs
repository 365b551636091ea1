/** Which way everything points; each rule with the reason that makes it worth keeping. */
const server = '^packages/server/src'
const web = '^packages/web/src'

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'the-contract-depends-on-nothing-of-ours',
      comment: 'Web, plugins and server meet in it.',
      severity: 'error',
      from: { path: '^packages/api/' },
      to: { path: '^packages/(?!api/)' },
    },
    {
      name: 'platform-imports-nothing-from-above',
      severity: 'error',
      from: { path: `${server}/platform/` },
      to: { path: `${server}/(?!platform/)` },
    },
    {
      name: 'names-are-read-without-looking-at-anything',
      comment: 'What a name says depends on nothing but the name.',
      severity: 'error',
      from: { path: `${server}/naming/`, pathNot: '\\.test\\.ts$' },
      to: { pathNot: [`${server}/(naming|platform)/`, `${server}/formats/book-format\\.ts$`] },
    },
    {
      name: 'the-database-knows-no-feature',
      comment: 'Types of tables excepted: schema.ts gathers them.',
      severity: 'error',
      from: { path: `${server}/database/` },
      to: { path: `${server}/(features|http|commands|app|main|context)`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-engine-room-knows-no-feature',
      comment: 'Facts and tasks are what features make of them.',
      severity: 'error',
      from: { path: `${server}/(events|tasks)/`, pathNot: '\\.test\\.ts$' },
      to: { path: `${server}/(features|http|commands|app|main|context|work)` },
    },
    {
      name: 'filtering-knows-no-feature',
      comment: 'What it must know of a viewer comes as data.',
      severity: 'error',
      from: { path: `${server}/filtering/` },
      to: { path: `${server}/(features|http|commands|app|main|context)` },
    },
    {
      name: 'filtering-is-entered-by-its-front-door',
      severity: 'error',
      from: { path: `${server}/`, pathNot: `${server}/filtering/` },
      to: { path: `${server}/filtering/(?!filtering\\.ts$)` },
    },
    {
      name: 'http-knows-no-feature',
      severity: 'error',
      from: { path: `${server}/http/` },
      to: { path: `${server}/(features|commands|app|main|context|database)` },
    },
    {
      name: 'features-meet-through-their-front-door',
      comment: 'The file named like its folder; a folder with several use-case files lists them here.',
      severity: 'error',
      from: { path: `${server}/features/([^/]+)/` },
      to: {
        path: `${server}/features/([^/]+)/`,
        pathNot: [`${server}/features/$1/`, `${server}/features/([^/]+)/\\1\\.ts$`],
      },
    },
    {
      name: 'doors-are-known-to-the-table-of-contents-alone',
      comment: 'They show what features have in other words; no feature knows of them, and no door of another.',
      severity: 'error',
      from: { path: `${server}/(?!doors/|app\\.ts$)`, pathNot: '\\.test\\.ts$' },
      to: { path: `${server}/doors/` },
    },
    {
      name: 'doors-meet-features-through-their-front-door',
      severity: 'error',
      from: { path: `${server}/doors/`, pathNot: '\\.test\\.ts$' },
      to: { path: `${server}/features/([^/]+)/`, pathNot: [`${server}/features/([^/]+)/\\1\\.ts$`] },
    },
    {
      name: 'only-routes-speak-http',
      comment: 'Use cases know who asks (caller.ts), not how they were asked.',
      severity: 'error',
      from: { path: `${server}/features/`, pathNot: '(routes|metrics|\\.test)\\.ts$' },
      to: { path: `${server}/http/(?!caller)|node_modules/(fastify|@fastify)` },
    },
    {
      name: 'the-web-app-knows-the-contract-alone',
      comment: 'It is one client of the API among others.',
      severity: 'error',
      from: { path: '^packages/web/' },
      to: { path: '^packages/(?!web/|api/src/(index|all-endpoints)\\.ts$)' },
    },
    {
      name: 'ui-knows-neither-api-nor-router',
      comment: 'What it shows comes as properties.',
      severity: 'error',
      from: { path: `${web}/ui/` },
      to: { path: [`${web}/(?!ui/)`, '^packages/api/', 'node_modules/@tanstack/react-(router|query)/'] },
    },
    {
      name: 'features-of-the-web-app-do-not-import-each-other',
      comment: 'What two of them need belongs to ui/ or beside routes.tsx.',
      severity: 'error',
      from: { path: `${web}/features/([^/]+)/` },
      to: { path: `${web}/(features/(?!$1/)|(main|routes)\\.tsx$)` },
    },
    {
      name: 'the-api-of-the-web-app-shows-nothing',
      severity: 'error',
      from: { path: `${web}/api/` },
      to: { path: `${web}/(?!api/)` },
    },
    {
      name: 'tests-are-not-shipped',
      severity: 'error',
      from: { path: `${server}/`, pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/server/test/' },
    },
    {
      name: 'nothing-unresolved',
      comment: 'The web type of bun is named by a library, not by us.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.json', '.css'],
    },
    exclude: { path: '(^|/)dist/' },
  },
}
