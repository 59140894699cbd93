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
    // Only for hangs: several workers share two cores, and in a whole run also with builds that take most of both.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Polling waits for another process; on a busy machine the default of one second is too short.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
  },
  // The web app's own setting is for Next; tests only need the classic transform.
  oxc: { jsx: { runtime: 'automatic' } },
});
