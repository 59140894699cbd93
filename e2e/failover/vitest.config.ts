// Tests of a Penstock whose PostgreSQL fails over, or that stands behind a proxy: `vitest run --config e2e/failover/vitest.config.ts [file]`.
// They have their own configuration because they need programs of the system but no shared system of ours, and run one by one.
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
