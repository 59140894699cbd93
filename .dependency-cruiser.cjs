// The arrows between the parts. Every workspace folder names what it may import; whatever is not named is an error.
const may = {
  // Pure: no I/O, no clock, no random numbers.
  'packages/units': [],
  'packages/metadata-core': ['packages/units'],
  'packages/pricing': ['packages/units'],
  'packages/telemetry': ['packages/units'],
  'packages/health': ['packages/telemetry', 'packages/units'],
  // Foundations.
  'packages/config': [],
  'packages/platform': [],
  'packages/metadata-protocol': [],
  'packages/database': ['packages/platform'],
  'packages/metadata-journal': ['packages/platform', 'packages/units'],
  'packages/telemetry-store': ['packages/telemetry', 'packages/platform', 'packages/units'],
  // Use-cases: what all stand on, then the domains, each on those before it.
  'packages/tenancy': ['packages/database', 'packages/platform', 'packages/units'],
  'packages/identity': ['packages/tenancy', 'packages/database', 'packages/platform', 'packages/units'],
  'packages/clusters': [
    'packages/identity',
    'packages/tenancy',
    'packages/database',
    'packages/metadata-core',
    'packages/metadata-journal',
    'packages/metadata-protocol',
    'packages/pricing',
    'packages/telemetry',
    'packages/health',
    'packages/units',
    'packages/platform',
  ],
  'packages/billing': [
    'packages/clusters',
    'packages/identity',
    'packages/tenancy',
    'packages/units',
    'packages/pricing',
    'packages/platform',
    'packages/database',
    'packages/metadata-core',
    'packages/metadata-journal',
  ],
  // What spans all domains: the beginning and the end of an organization.
  'packages/lifecycle': [
    'packages/billing',
    'packages/clusters',
    'packages/identity',
    'packages/tenancy',
    'packages/database',
    'packages/platform',
    'packages/units',
  ],
  // The faces of the use-cases.
  'packages/api': [
    'packages/lifecycle',
    'packages/billing',
    'packages/clusters',
    'packages/identity',
    'packages/tenancy',
    'packages/pricing',
    'packages/telemetry',
    'packages/health',
    'packages/units',
    'packages/platform',
  ],
  // Its generator reads the document; what it exports needs nothing of ours.
  'packages/api-client': ['packages/api'],
  'packages/ui': ['packages/units'],
  'packages/charts': ['packages/ui', 'packages/telemetry', 'packages/units'],
  // Programs.
  'apps/admin': [
    'packages/billing',
    'packages/lifecycle',
    'packages/identity',
    'packages/tenancy',
    'packages/metadata-core',
    'packages/metadata-journal',
    'packages/database',
    'packages/platform',
    'packages/units',
  ],
  'apps/web': [
    'packages/api',
    'packages/lifecycle',
    'packages/billing',
    'packages/clusters',
    'packages/identity',
    'packages/tenancy',
    'packages/database',
    'packages/charts',
    'packages/ui',
    'packages/units',
    'packages/platform',
    'packages/pricing',
    'packages/telemetry',
    'packages/health',
  ],
  'apps/metadata': [
    'packages/metadata-core',
    'packages/metadata-journal',
    'packages/metadata-protocol',
    'packages/telemetry',
    'packages/telemetry-store',
    'packages/platform',
    'packages/units',
  ],
  'apps/worker': [
    'packages/lifecycle',
    'packages/clusters',
    'packages/identity',
    'packages/tenancy',
    'packages/billing',
    'packages/metadata-journal',
    'packages/metadata-protocol',
    'packages/database',
    'packages/telemetry',
    'packages/telemetry-store',
    'packages/platform',
    'packages/units',
  ],
  // For tests only.
  'e2e/support': ['infra/servers'],
  // For `npm start` and for tests.
  'infra/servers': [],
  // For builds only.
  'packages/sbom': [],
  // The simulation runs the real owners.
  'e2e/metadata-sim': [
    'apps/metadata',
    'packages/metadata-core',
    'packages/metadata-journal',
    'packages/metadata-protocol',
    'packages/platform',
    'packages/units',
  ],
};

// Within a domain, folders import downwards only: a folder may import those of the lines before its own.
const layers = {
  'packages/metadata-core': [
    ['model'],
    ['bytes', 'state'],
    ['conditions'],
    ['groups', 'security', 'topics', 'transactions'],
    ['consumer-groups'],
    ['commands', 'merging', 'queries'],
    ['changes', 'invariants'],
    ['codec'],
  ],
  'packages/tenancy': [
    ['notifications', 'paging', 'rate-budget'],
    ['access'],
    ['audit', 'billing-account', 'idempotency', 'mail', 'suspension'],
    ['webhook'],
  ],
  'packages/identity': [
    ['account', 'api-key', 'organization'],
    ['member'],
    ['access', 'invitation', 'sso'],
    ['auth', 'scim'],
    ['secrets'],
  ],
  'packages/clusters': [
    ['metadata'],
    ['cluster'],
    ['access', 'event', 'group', 'telemetry', 'topic'],
    ['health'],
    ['agent-key', 'client-change', 'live', 'purge'],
    ['topic-config', 'transaction'],
  ],
  'packages/billing': [
    ['billing-account', 'ledger', 'metering', 'rating', 'stripe', 'usage'],
    ['collection', 'credit', 'hold'],
    ['recompute'],
    ['invoice'],
    ['budget', 'payment'],
  ],
};

// Within packages/api: what a declaration says, tRPC, the resources with their declarations, then their REST face, then
// the calculator, which adds its addresses to that face, and SCIM, which shares its limits and errors.
// Files beside the folders put them together.
const facesOfApi = [
  'operation',
  'trpc',
  '(?!(?:operation|trpc|rest|calculator|scim|testing)/)[a-z-]+',
  'rest',
  'calculator',
  'scim',
];

const testFiles = '\\.(test|setup)\\.tsx?$|/(test|tests|testing|contract)/|\\.(test-support|contract)\\.ts$';
const pure = '^packages/(units|metadata-core|pricing|telemetry|health)/';

const arrows = Object.entries(may).flatMap(([folder, targets]) => {
  const allowed = [folder, ...targets].map((target) => `^${target}/`);
  return [
    {
      name: `arrow-${folder.replace('/', '-')}`,
      severity: 'error',
      comment: `${folder} may import ${targets.length === 0 ? 'no other part' : targets.join(', ')}.`,
      from: { path: `^${folder}/`, pathNot: testFiles },
      to: { path: '^(apps|packages|e2e|infra|prisma)/', pathNot: allowed },
    },
    {
      name: `arrow-of-tests-${folder.replace('/', '-')}`,
      severity: 'error',
      comment: `Tests of ${folder} may import what it may, and the support of tests.`,
      from: { path: `^${folder}/.*(${testFiles})` },
      to: {
        path: '^(apps|packages|e2e|infra)/',
        pathNot: [
          ...allowed,
          '^(e2e/support|infra/servers)/',
          '^packages/(database|metadata-protocol|telemetry-store)/',
          '^prisma/',
        ],
      },
    },
  ];
});

const folders = Object.entries(layers).flatMap(([domain, lines]) =>
  lines.flatMap((line, index) =>
    line.map((folder) => ({
      name: `folder-${domain.replace('/', '-')}-${folder}`,
      severity: 'error',
      comment: `${domain}/src/${folder} may import ${lines.slice(0, index).flat().join(', ') || 'no other folder'} of its domain.`,
      from: { path: `^${domain}/src/${folder}/`, pathNot: testFiles },
      to: {
        path: `^${domain}/src/`,
        pathNot: [folder, ...lines.slice(0, index).flat()].map((below) => `^${domain}/src/${below}/`),
      },
    })),
  ),
);

const faces = facesOfApi.map((folder, index) => ({
  name: `folder-packages-api-${folder}`,
  severity: 'error',
  comment: `packages/api/src/${folder} may import ${facesOfApi.slice(0, index).join(', ') || 'no other folder'} of packages/api.`,
  from: { path: `^packages/api/src/(${folder})/`, pathNot: testFiles },
  to: {
    path: '^packages/api/src/[^/]+/',
    pathNot: ['^packages/api/src/$1/', ...facesOfApi.slice(0, index).map((below) => `^packages/api/src/${below}/`)],
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...arrows,
    ...folders,
    ...faces,
    {
      name: 'folder-has-a-layer',
      severity: 'error',
      comment: 'A folder of a domain is named in `layers`, so that it is known what it may import.',
      from: {
        path: `^(${Object.keys(layers).join('|')})/src/[^/]+/`,
        pathNot: [
          testFiles,
          ...Object.entries(layers).map(([domain, lines]) => `^${domain}/src/(${lines.flat().join('|')})/`),
        ],
      },
      to: {},
    },
    {
      name: 'no-circular',
      severity: 'error',
      comment:
        'Modules that import each other, types included, can only be understood, tested and moved together. A type that both need goes to a *.types.ts below them.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      comment: 'The import leads nowhere: declare the package that it comes from.',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^server-only$', '^cloudflare:', '^bun:'] },
    },
    {
      name: 'pure-does-no-io',
      severity: 'error',
      comment:
        'A pure package imports nothing that does I/O, reads a clock or draws a random number; decimal.js only computes.',
      from: { path: pure, pathNot: testFiles },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-peer', 'npm-optional'],
        pathNot: ['^packages/', 'node_modules/decimal\\.js/'],
      },
    },
    {
      name: 'auditor-is-independent',
      severity: 'error',
      comment: 'The auditor of the simulation shares no code with what it audits; it may know the types of commands.',
      from: { path: '^e2e/metadata-sim/src/(auditor|.*/auditor|auditor/.*)' },
      to: { path: '^packages/metadata-core/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'judge-is-independent',
      severity: 'error',
      comment:
        'What judges the histories of clients, and the client that reads for it, share no code with the product.',
      from: { path: '^e2e/clients/checker/(judge|anomaly|history|raw-|record-batch)' },
      to: { path: '^(apps|packages|infra|prisma)/' },
    },
    {
      name: 'features-have-two-doors',
      severity: 'error',
      comment: 'A feature is entered through index (client-safe) or server/index (server only).',
      from: { path: '^apps/web/features/([^/]+)/' },
      to: {
        path: '^apps/web/features/',
        pathNot: ['^apps/web/features/$1/', '^apps/web/features/[^/]+/(server/)?index\\.tsx?$'],
      },
    },
    {
      name: 'lib-knows-no-feature',
      severity: 'error',
      comment: 'What several features share imports none of them.',
      from: { path: '^apps/web/lib/' },
      to: { path: '^apps/web/(features|app)/' },
    },
    {
      name: 'lib-folders-have-a-door',
      severity: 'error',
      comment: 'A folder of lib is entered through its index.',
      from: { path: '^apps/web/', pathNot: '^apps/web/lib/' },
      to: { path: '^apps/web/lib/[^/]+/', pathNot: '^apps/web/lib/[^/]+/(server/)?index\\.tsx?$' },
    },
    {
      name: 'routes-use-the-doors',
      severity: 'error',
      comment: 'Route shims and the server mount enter a feature through its doors as well.',
      from: { path: '^apps/web/(app|server)/' },
      to: { path: '^apps/web/features/', pathNot: '^apps/web/features/[^/]+/(server/)?index\\.tsx?$' },
    },
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      comment: 'What ships does not import tests or what exists for them.',
      from: { path: '^(apps|packages)/', pathNot: testFiles },
      to: { path: ['\\.test\\.tsx?$', '^e2e/'] },
    },
    {
      name: 'packages-know-no-program',
      severity: 'error',
      comment:
        'What programs are made of imports no program and no test; tests may import e2e/support and infra/servers.',
      from: { path: '^packages/' },
      to: { path: '^(apps|infra/(?!servers/)|e2e/(?!support/))' },
    },
    {
      name: 'part-has-arrows',
      severity: 'error',
      comment: 'A package or an app is named in `may`, so that it is known what it may import.',
      from: { path: '^(apps|packages)/([^/]+)/', pathNot: Object.keys(may).map((folder) => `^${folder}/`) },
      to: { path: '^(apps|packages|e2e|infra|prisma)/', pathNot: '^$1/$2/' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/generated/', '/gen/'] },
    exclude: { path: ['\\.next/', '/target/', '/dist/', 'next-env'] },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
    tsConfig: { fileName: 'packages/config/tsconfig.arrows.json' },
  },
};
