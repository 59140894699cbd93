// End-to-end tests with real Kafka clients: `vitest run --config e2e/clients/vitest.config.ts [file]`.
// PENSTOCK_E2E_RECORDS sets the number of 1 KiB records that each client sends. PENSTOCK_E2E_TARGET=kafka runs the tests of
// the shared system against Apache Kafka instead, to show that Apache Kafka passes them too.
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files first, so that shorter ones run next to them. They mostly wait for the product's timers. */
const longest = [
  'compaction.test.ts',
  'health.test.ts',
  'long-outage.test.ts',
  'rest.test.ts',
  'ecosystem.test.ts',
  'codecs.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = longest.indexOf(basename(moduleId));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).sort((left, right) => place(left) - place(right));
  }
}

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['**/*.test.ts'],
    globalSetup: ['./support/shared-system.setup.ts'],
    // Most files mostly wait for timers, on their own systems, so this many can share the machine.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
