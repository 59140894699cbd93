// Kafka's own command-line tools print the same on Penstock and on Apache Kafka, except for what is listed. `npm run fault -- tools` is the
// long version, with all tools.
import { expect, test } from 'vitest';
import { compareTools } from './tools/compare-tools.ts';
import { scenarios } from './tools/scenarios/index.ts';

/** Only for a hang. Each command starts a Java process, which takes as long as the machine needs. */
const LONGEST_MS = 900_000;

test(
  'console tools print as on Kafka, or a listed difference',
  async () => {
    const compared = await compareTools(scenarios.filter(({ isFast }) => isFast === true));
    const different = compared.filter(({ unlisted }) => unlisted.length > 0);
    expect(different.map(({ name, unlisted }) => [name, ...unlisted])).toEqual([]);
  },
  LONGEST_MS,
);
