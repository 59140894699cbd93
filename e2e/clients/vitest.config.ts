// End-to-end tests with real Kafka clients: `vitest run --config e2e/clients/vitest.config.ts [file]`.
// PENSTOCK_E2E_RECORDS sets the number of 1 KiB records that each client sends. PENSTOCK_E2E_TARGET=kafka runs the tests of
// the shared system against Apache Kafka instead: what they demand of Penstock has to hold there as well.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['**/*.test.ts'],
    globalSetup: ['./support/shared-system.setup.ts'],
    // One file at a time: each of them starts programs that want the whole machine.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
