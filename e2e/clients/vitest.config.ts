// End-to-end tests with real Kafka clients: `vitest run --config e2e/clients/vitest.config.ts [file]`.
// PENSTOCK_E2E_RECORDS sets the number of 1 KiB records that each client sends. PENSTOCK_E2E_TARGET=kafka runs the tests of
// the shared system against Apache Kafka instead, to show that Apache Kafka passes them too.
import { defineConfig } from 'vitest/config';
import { longestFirst } from '../../packages/config/longest-first.ts';

/** The slowest files first, so that shorter ones run next to them. They mostly wait for the product's timers. */
const longest = [
  'consumer-group-protocol.test.ts',
  'compaction.test.ts',
  'health.test.ts',
  'rest.test.ts',
  'long-outage.test.ts',
  'ecosystem.test.ts',
  'codecs.test.ts',
  'acls.test.ts',
  'merging.test.ts',
  'console-tools.test.ts',
  'bills-under-attack.test.ts',
  'strangers.test.ts',
  'spending-cap.test.ts',
  'docs.test.ts',
  'zones.test.ts',
  'authentication.test.ts',
];

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['**/*.test.ts'],
    globalSetup: ['./support/shared-system.setup.ts'],
    // Most files mostly wait for timers, on their own systems, so this many can share the machine.
    maxWorkers: 3,
    // One process runs many files: loading the modules anew for each took as long as the longest tests.
    isolate: false,
    sequence: { sequencer: longestFirst(longest) },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
