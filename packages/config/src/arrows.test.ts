// Tests the dependency rules: each forbidden import is planted in a small tree and must be found.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { beforeAll, expect, test } from 'vitest';

const { forbidden } = createRequire(import.meta.url)('../../../.dependency-cruiser.cjs') as {
  forbidden: IForbiddenRuleType[];
};

const VALUE = 'export const a = 1;\n';
const use = (path: string): string => `import { a } from '${path}';\nexport const b = a;\n`;

const CASES: readonly (readonly [what: string, files: Record<string, string>, broken: string[]])[] = [
  [
    'an arrow along the allowed way',
    { 'packages/lifecycle/src/b.ts': use('../../billing/src/a'), 'packages/billing/src/a.ts': VALUE },
    [],
  ],
  [
    'an arrow against the way',
    { 'packages/billing/src/b.ts': use('../../lifecycle/src/a'), 'packages/lifecycle/src/a.ts': VALUE },
    ['arrow-packages-billing'],
  ],
  [
    'a domain that imports the one above it',
    {
      'packages/clusters/src/cluster/b.ts': use('../../../billing/src/invoice/a'),
      'packages/billing/src/invoice/a.ts': VALUE,
    },
    ['arrow-packages-clusters'],
  ],
  [
    'a folder that imports one above it in its domain',
    { 'packages/billing/src/invoice/b.ts': use('../payment/a'), 'packages/billing/src/payment/a.ts': VALUE },
    ['folder-packages-billing-invoice'],
  ],
  [
    'a folder of a domain that has no layer',
    { 'packages/clusters/src/quota/b.ts': use('../cluster/a'), 'packages/clusters/src/cluster/a.ts': VALUE },
    ['folder-has-a-layer'],
  ],
  [
    'a package that imports an app',
    { 'packages/api/src/b.ts': use('../../../apps/web/server/a'), 'apps/web/server/a.ts': VALUE },
    ['arrow-packages-api', 'packages-know-no-program'],
  ],
  [
    'a pure package that imports a package with I/O',
    { 'packages/metadata-core/src/b.ts': use('../../platform/src/a'), 'packages/platform/src/a.ts': VALUE },
    ['arrow-packages-metadata-core'],
  ],
  [
    'a pure package that imports node:fs',
    { 'packages/pricing/src/b.ts': "import { readFileSync } from 'node:fs';\nexport const b = readFileSync;\n" },
    ['pure-does-no-io'],
  ],
  [
    'an auditor that imports what it audits',
    {
      'e2e/metadata-sim/src/auditor.ts': use('../../../packages/metadata-core/src/apply'),
      'packages/metadata-core/src/apply.ts': VALUE,
    },
    ['auditor-is-independent'],
  ],
  [
    'an auditor that knows the types only',
    {
      'e2e/metadata-sim/src/auditor.ts':
        "import type { A } from '../../../packages/metadata-core/src/types';\nexport type B = A;\n",
      'packages/metadata-core/src/types.ts': 'export type A = 1;\n',
    },
    [],
  ],
  [
    'a feature entered through the wall',
    { 'apps/web/features/keys/b.ts': use('../clusters/list/a'), 'apps/web/features/clusters/list/a.ts': VALUE },
    ['features-have-two-doors'],
  ],
  [
    'a feature entered through its server door',
    {
      'apps/web/features/keys/b.ts': use('../clusters/server/index'),
      'apps/web/features/clusters/server/index.ts': VALUE,
    },
    [],
  ],
  [
    'what features share that imports one of them',
    { 'apps/web/lib/time/b.ts': use('../../features/keys/index'), 'apps/web/features/keys/index.ts': VALUE },
    ['lib-knows-no-feature'],
  ],
  [
    'a folder of what features share, entered through the wall',
    { 'apps/web/features/keys/b.ts': use('../../lib/time/a'), 'apps/web/lib/time/a.ts': VALUE },
    ['lib-folders-have-a-door'],
  ],
  [
    'what features share, entered through its door',
    {
      'apps/web/features/keys/b.ts': `${use('../../lib/time/index')}${VALUE}`,
      'apps/web/lib/time/index.ts': VALUE,
    },
    [],
  ],
  [
    'two modules that import each other',
    {
      'packages/units/src/a.ts': `${use('./b')}${VALUE}`,
      'packages/units/src/b.ts': "export { a as c } from './a';\nexport const a = 1;\n",
    },
    ['no-circular'],
  ],
  [
    'two modules that import types from each other',
    {
      'packages/units/src/a.ts': "import type { B } from './b';\nexport type A = B | 1;\n",
      'packages/units/src/b.ts': "import type { A } from './a';\nexport interface B {\n  a: A;\n}\n",
    },
    ['no-circular'],
  ],
  [
    'a model that imports the state built on it',
    { 'packages/metadata-core/src/model/b.ts': use('../state/a'), 'packages/metadata-core/src/state/a.ts': VALUE },
    ['folder-packages-metadata-core-model'],
  ],
  [
    'production code that imports test support',
    { 'apps/worker/src/b.ts': use('../../../e2e/support/src/a'), 'e2e/support/src/a.ts': VALUE },
    ['arrow-apps-worker', 'no-test-code-in-production'],
  ],
  [
    'a package that no line names, and that imports another',
    { 'packages/quotas/src/b.ts': use('../../units/src/a'), 'packages/units/src/a.ts': VALUE },
    ['part-has-arrows'],
  ],
  [
    'a test of a package that imports a test of the whole system',
    {
      'packages/units/src/testing/b.ts': use('../../../../e2e/clients/support/a'),
      'e2e/clients/support/a.ts': VALUE,
    },
    ['arrow-of-tests-packages-units', 'packages-know-no-program'],
  ],
  ['an import of nothing', { 'packages/units/src/b.ts': use('./missing') }, ['not-resolvable']],
];

/** The modules `a` and `b` of a case get its number, so that many cases fit into one tree. */
function numbered(text: string, index: number): string {
  return text.replaceAll(/(?<=\/)([ab])(?=\.ts$|')/g, `$1${index}`);
}

/** Cruises through the files, and returns the names of the broken rules by the file that breaks them. */
async function brokenRules(files: ReadonlyMap<string, string>): Promise<{ from: string; name: string }[]> {
  const baseDir = mkdtempSync(join(tmpdir(), 'penstock-arrows-'));
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(baseDir, path)), { recursive: true });
      writeFileSync(join(baseDir, path), text);
    }
    const { output } = await cruise(['.'], {
      baseDir,
      validate: true,
      ruleSet: { forbidden },
      tsPreCompilationDeps: true,
      enhancedResolveOptions: { extensions: ['.ts', '.tsx'] },
    });
    return (output as ICruiseResult).summary.violations.map(({ from, rule }) => ({ from, name: rule.name }));
  } finally {
    rmSync(baseDir, { recursive: true });
  }
}

/** The names of the broken rules per case. A cruise for each case would take ten times as long as one for each tree of cases. */
async function findBrokenRules(): Promise<string[][]> {
  const trees: Map<string, string>[] = [];
  const owners = CASES.map(([, files], index) => {
    const own = Object.entries(files).map(([path, text]) => [numbered(path, index), numbered(text, index)] as const);
    let tree = trees.find((other) => own.every(([path]) => !other.has(path)));
    if (tree === undefined) {
      tree = new Map();
      trees.push(tree);
    }
    for (const [path, text] of own) {
      tree.set(path, text);
    }
    return { tree, paths: new Set(own.map(([path]) => path)) };
  });
  const broken = new Map<Map<string, string>, { from: string; name: string }[]>();
  for (const tree of trees) {
    broken.set(tree, await brokenRules(tree));
  }
  return owners.map(({ tree, paths }) => {
    const own = (broken.get(tree) ?? []).filter(({ from }) => paths.has(from));
    return [...new Set(own.map(({ name }) => name))].sort();
  });
}

let found: string[][];
beforeAll(async () => {
  found = await findBrokenRules();
});

test.each(CASES.map(([what, , broken], index) => [what, broken, index] as const))(
  'the arrows: %s',
  (_what, broken, index) => {
    expect(found[index]).toEqual(broken);
  },
);
