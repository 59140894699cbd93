// Tests of a Penstock whose PostgreSQL fails over: `vitest run --config e2e/failover/vitest.config.ts [file]`. A configuration of their
// own, because they need no shared system and want the machine for themselves.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['**/*.test.ts'],
    fileParallelism: false,
    // Only for what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
