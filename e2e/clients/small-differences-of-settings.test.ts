// What a client shows of something that a setting of the cluster has switched off: never that its ACLs lack a right. With
// PENSTOCK_E2E_TARGET=kafka the same test runs against Apache Kafka.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMetadataAdmin, updateCluster } from '@penstock/clusters';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startKafkaBroker } from '../../infra/local/kafka-broker.ts';
import { javaClassPath } from '../../infra/local/tools.ts';
import { isKafka, type ListedDifference, listedFact } from './small-differences/listed.ts';
import { inDemoOrganization } from './support/accounts.ts';
import { run } from './support/run.ts';
import { startTestSystem } from './support/system.ts';

/** The name is new in each run, so that a system may be used again. */
const absent = `absent${process.pid}`;

const NO_ACLS: ListedDifference<string> = {
  reason: 'ACLs are off in both. Penstock says how to turn them on.',
  kafka: 'SecurityDisabledException: No Authorizer is configured on the broker',
  penstock:
    'SecurityDisabledException: ACLs are turned off for this cluster: `penstock security set --acl-mode shadow` or `enforced` turns them on',
};

let bootstrap: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  if (isKafka) {
    const folder = join(tmpdir(), `penstock-e2e-settings-${process.pid}`);
    ({ bootstrap, stop } = await startKafkaBroker(folder, '512m', ['auto.create.topics.enable=false']));
    return;
  }
  const system = await startTestSystem({ agents: [{}] });
  stop = () => system.stop();
  bootstrap = system.agents[0]?.bootstrap ?? '';
  const clusterId = system.demo?.clusterId ?? '';
  const metadata = createMetadataAdmin({
    urls: system.metadata.map(({ adminUrl }) => adminUrl),
    keys: system.adminKeys,
  });
  const change = { clusterId, autoCreateTopics: false };
  await inDemoOrganization(system, (scope) => updateCluster(scope, metadata, change));
});
afterAll(() => stop());

test('a disabled feature says so, also to transactional producers', async () => {
  const classPath = await javaClassPath(join(import.meta.dirname, 'small-differences/SwitchedOff.java'));
  const printed = await run('java', [
    ...['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', classPath],
    ...['SwitchedOff', bootstrap, absent],
  ]);
  const lines = printed.split('\n').filter((line) => line.includes('='));
  expect(Object.fromEntries(lines.map((line) => line.split(/=(.*)/, 2)))).toEqual({
    produce: `TimeoutException: Topic ${absent} not present in metadata after 2000 ms.`,
    'records.init': 'done',
    'records.produce': `TimeoutException: Topic ${absent} not present in metadata after 2000 ms.`,
    'offsets.init': 'done',
    'offsets.commit':
      'TimeoutException: Timeout expired after 2000ms while awaiting TxnOffsetCommitHandler. SendOffsetsToTransaction timed out - did ' +
      'not reach the coordinator or receive the TxnOffsetCommit/AddOffsetsToTxn response within max.block.ms',
    'timeout.init':
      'KafkaException: Unexpected error in InitProducerIdResponse; The transaction timeout is larger than the maximum value allowed by ' +
      'the broker (as configured by transaction.max.timeout.ms).',
    acls: listedFact(NO_ACLS),
    tokens:
      'UnsupportedByAuthenticationException: Delegation Token requests are not allowed on PLAINTEXT/1-way SSL channels and on ' +
      'delegation token authenticated channels.',
  });
});
