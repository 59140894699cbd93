// A name that a user chose is never the name of a property: `__proto__` and `constructor` are on every object already. Names are keys of maps,
// or stand in pairs. Objects keyed by text are therefore listed here, each with what its keys are.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';

/** Where names of topics, groups, clients, zones and the like pass through. */
const SOURCES = [
  'packages/{clusters,health,metadata-core,metadata-journal,telemetry,telemetry-store}/src/**/*.ts',
  'apps/{metadata,worker}/src/**/*.ts',
];
const KEYED_BY_TEXT = /\bRecord<string,|\bz\.record\(|\bObject\.fromEntries\(/;

/** File -> what its objects are keyed by. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ['apps/metadata/src/budgets/budget-settings.ts', 'ids of clusters, from a setting'],
  ['apps/metadata/src/contract/recorded-calls-contract.ts', 'fields of recorded messages'],
  ['apps/metadata/src/health.ts', 'names of labels'],
  ['apps/metadata/src/owners/caller-log.ts', 'fields of a log line'],
  ['apps/metadata/src/rpc/metadata-service.ts', 'names of methods'],
  ['apps/metadata/src/rpc/plain-calls.ts', 'names of headers that we send'],
  ['apps/metadata/src/traces/trace-settings.ts', 'names from the environment'],
  ['packages/clusters/src/access/set-quota.ts', 'names of quotas, checked'],
  [
    'packages/clusters/src/client-change/audit-client-changes.ts',
    'names of configs and quotas, checked when they were set',
  ],
  ['packages/clusters/src/event/cluster-event.ts', 'fields of an event'],
  ['packages/clusters/src/telemetry/latest-agent-readings.ts', 'names of stages'],
  ['packages/clusters/src/topic/alter-topic-configs.ts', 'names of configs, checked'],
  ['packages/clusters/src/topic/topic-input.ts', 'names of configs, from the table'],
  ['packages/health/src/exposition/cluster-metrics.ts', 'names of labels'],
  ['packages/health/src/read-history.ts', 'fields of the stored history'],
  ['packages/metadata-core/src/codec/columns.ts', 'names of columns'],
  ['packages/metadata-core/src/security/acl-rules.ts', 'names of our enumerations'],
  ['packages/metadata-journal/src/cells/copy-cluster.ts', 'columns of a table'],
  ['packages/telemetry/src/clients/client-metrics.ts', 'names of metrics that we know'],
  ['packages/telemetry/src/clients/client-sample.ts', 'numbers of metrics'],
  ['packages/telemetry/src/exposition/openmetrics.ts', 'names of labels'],
  ['packages/telemetry/src/exposition/recorders.ts', 'names of labels'],
]);

test('objects are keyed by text only where no user chooses it', () => {
  const found = globSync(SOURCES, { cwd: root }).filter(
    (file) =>
      !/\.test\.ts$|\/(testing|gen|generated)\//.test(file) &&
      KEYED_BY_TEXT.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(found.sort()).toEqual([...ALLOWED.keys()].sort());
});
