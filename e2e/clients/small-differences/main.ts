// `npm run fault -- differences`: the small differences that take minutes, measured on Penstock and on Apache Kafka. Fails when the offsets of
// a topic that a live group no longer reads do not expire on both, or do too early, or those of the topic that it reads do.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updateCluster } from '@penstock/clusters';
import { createFakeMetadata } from '@penstock/clusters/testing/fake-metadata';
import { startKafkaBroker } from '../../../infra/local/kafka-broker.ts';
import { inDemoOrganization } from '../support/accounts.ts';
import { startTestSystem } from '../support/system.ts';
import { type SlowFacts, slowFacts } from './slow.ts';

const QUICK_EXPIRY = new URL('./install-quick-expiry.ts', import.meta.url).href;
/** A minute is the shortest that both know. */
const RETENTION_MINUTES = 1;

async function ofKafka(): Promise<SlowFacts> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-differences-'));
  const broker = await startKafkaBroker(join(folder, 'kafka'), '512m', [
    `offsets.retention.minutes=${RETENTION_MINUTES}`,
    'offsets.retention.check.interval.ms=1000',
    'offsets.topic.num.partitions=1',
  ]);
  try {
    return await slowFacts(broker.bootstrap);
  } finally {
    await broker.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function ofPenstock(): Promise<SlowFacts> {
  const system = await startTestSystem({
    agents: [{}],
    metadataEnv: { NODE_OPTIONS: `--import=${QUICK_EXPIRY}` },
  });
  try {
    await inDemoOrganization(system, (scope) =>
      updateCluster(scope, createFakeMetadata(), {
        clusterId: system.demo?.clusterId ?? '',
        offsetsRetentionMinutes: RETENTION_MINUTES,
      }),
    );
    return await slowFacts(system.agents[0]?.bootstrap ?? '');
  } finally {
    await system.stop();
  }
}

const [kafka, penstock] = await Promise.all([ofKafka(), ofPenstock()]);
process.stdout.write(`${JSON.stringify({ kafka })}\n${JSON.stringify({ penstock })}\n`);
const isRight = ({ kept, expiredAfterSeconds }: SlowFacts): boolean =>
  kept === '0' && expiredAfterSeconds >= RETENTION_MINUTES * 60;
process.exit([kafka, penstock].every(isRight) ? 0 : 1);
