// Unit, property, simulation and contract tests of every package: `vitest run --config packages/config/vitest.config.ts [path]`.
// The end-to-end tests have their own configuration in e2e/clients.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './longest-first.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const include = [
  '{apps,packages}/*/**/*.test.{ts,tsx}',
  'e2e/{agent-sim,bench,contracts,metadata-sim,support}/**/*.test.ts',
  'infra/**/*.test.ts',
];
const exclude = ['**/node_modules/**', '**/.next/**', '**/target/**'];

/** A test that holds the product to a number of seconds. It runs when nothing else does: see vitest.timed.config.ts. */
export const TIMED = 'timed';

/** Files that replace modules or globals, which all files of their process would see. */
const alone = globSync(include, { cwd: root, exclude }).filter((file) =>
  /\bvi\.(mock|doMock|hoisted|stubGlobal|stubEnv|useFakeTimers)\(/.test(readFileSync(join(root, file), 'utf8')),
);

/** Those that compute and those that wait for leases in turn, so that the two workers seldom do the same. */
const longest = [
  'e2e/metadata-sim/src/mutants/mutants.test.ts',
  'apps/metadata/src/takeover.test.ts',
  'packages/identity/src/auth/throttle.test.ts',
  'packages/billing/src/payment/payments-shuffled.test.ts',
  'apps/metadata/src/move.test.ts',
  'e2e/metadata-sim/src/simulation.test.ts',
  'apps/metadata/src/owners/lease-thread/lease-thread.test.ts',
  'packages/api/src/rest/rest-matrix.test.ts',
  'apps/metadata/src/rpc/lost-tail.test.ts',
  'apps/admin/src/commands.test.ts',
  'packages/api/src/permission-matrix.test.ts',
];

export default defineConfig({
  root,
  test: {
    globalSetup: ['packages/database/src/testing/warm-up.setup.ts'],
    // Only for hangs: several workers share two cores, and in a whole run also with builds that take most of both.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Polling waits for another process; on a busy machine the default of one second is too short.
    expect: { poll: { timeout: 120_000 } },
    maxWorkers: 2,
    tags: [
      { name: TIMED, description: 'Holds the product to a number of seconds, so it runs when nothing else does.' },
    ],
    sequence: { sequencer: longestFirst(longest) },
    projects: [
      // One process runs many files: loading the modules anew for each file took a fifth of the time.
      { extends: true, test: { name: 'together', include, exclude: [...exclude, ...alone], isolate: false } },
      { extends: true, test: { name: 'alone', include: alone, exclude } },
    ],
  },
  // The web app's own setting is for Next; tests only need the classic transform.
  oxc: { jsx: { runtime: 'automatic' } },
});
