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
    // Generous: two cores shared by several workers. A test that hangs is still found.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
  // The web app's own setting is Next's; tests need the classic transform only.
  oxc: { jsx: { runtime: 'automatic' } },
});
