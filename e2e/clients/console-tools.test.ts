// Kafka's own command-line tools print the same on Penstock and on Apache Kafka, except for what is listed. `npm run fault:tools` is the
// long version, with all tools.
import { expect, test } from 'vitest';
import { compareTools } from './tools/compare-tools.ts';
import { scenarios } from './tools/scenarios/index.ts';

test('console tools print what they print on Apache Kafka, or a listed difference', async () => {
  const compared = await compareTools(scenarios.filter(({ isFast }) => isFast === true));
  const different = compared.filter(({ unlisted }) => unlisted.length > 0);
  expect(different.map(({ name, unlisted }) => [name, ...unlisted])).toEqual([]);
});
