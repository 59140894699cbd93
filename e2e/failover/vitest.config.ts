// Tests of a Penstock whose PostgreSQL fails over: `vitest run --config e2e/failover/vitest.config.ts [file]`. They have their own
// configuration because they need no shared system, and run one by one.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['**/*.test.ts'],
    fileParallelism: false,
    // Only for hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
