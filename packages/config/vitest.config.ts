// Unit, property, simulation and contract tests of every package: `vitest run --config packages/config/vitest.config.ts [path]`.
// The end-to-end tests have their own configuration in e2e/clients.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['{apps,packages}/*/**/*.test.{ts,tsx}', 'infra/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/.next/**', '**/target/**'],
    globalSetup: ['packages/testing/src/warm-up.setup.ts'],
    // Only for what hangs: two cores are shared by several workers and, in a whole run, with builds that take most of both.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What is polled for is brought about by somebody else; on a busy machine the second that is the default is soon over.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
  },
  // The web app's own setting is Next's; tests need the classic transform only.
  oxc: { jsx: { runtime: 'automatic' } },
});
