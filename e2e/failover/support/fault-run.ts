// Faults of a Patroni pair under load: a complete Penstock with idempotent producers that send until all faults are over. The acknowledged
// records are then read back with hand-written Fetch requests and compared by code that shares nothing with Penstock.
import { Kafka, logLevel } from 'kafkajs';
import { type Consumed, faultsOf, lostAcknowledgements } from '../../clients/support/records.ts';
import { storedBatches } from '../../clients/support/stored-batches.ts';
import { startTestSystem, type TestSystem } from '../../clients/support/system.ts';
import { type Sent, startTraffic, type Traffic } from '../../clients/support/traffic.ts';
import type { PatroniNode } from './patroni-node.ts';
import type { PatroniPair } from './patroni-pair.ts';

/** Faults of the primary. The standby must take over after each. */
export const faultKinds = [
  /** kill -9 of PostgreSQL; its Patroni notices at once. */
  'postgres-killed',
  /** kill -9 of PostgreSQL and Patroni, as in a power cut: the others wait until its key has expired. */
  'server-killed',
  /** No traffic in or out. */
  'isolated',
  /** It reaches neither etcd nor the standby while clients still reach it: tests for a split brain. */
  'cut-from-pair',
  /** Like `cut-from-pair`, and after the takeover the process is killed, with appends that it accepted but could not confirm. */
  'cut-then-killed',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface FaultOutcome {
  kind: FaultKind;
  /** The longest time without an acknowledgement for any producer. */
  longestGapMs: number;
}

export interface RunOutcome {
  faults: FaultOutcome[];
  acknowledged: number;
  /** Acknowledged records that are not at the acknowledged offset. */
  lost: number;
  /** Number of duplicate records. */
  doubled: number;
  /** Other errors in the stored records, in words. */
  wrong: string[];
}

const PARTITIONS = 4;
/** Two producers through two agents, so that the result does not depend on one agent or client. */
const topics = ['failover-a', 'failover-b'];
const RECORDS_PER_S = 200;
/** This many records of each producer are acknowledged before and after each fault. */
const RECORDS_BETWEEN_FAULTS = 400;

/** A Penstock on the pair: two metadata processes, two agents, no embedded PostgreSQL. */
export function startSystemOn(pair: PatroniPair): Promise<TestSystem> {
  return startTestSystem({
    databaseUrl: pair.databaseUrl,
    hasDemo: true,
    metadataProcesses: 2,
    agents: [{}, {}],
  });
}

/** @param onFault is called after each fault */
export async function runFaults(
  pair: PatroniPair,
  system: TestSystem,
  kinds: readonly FaultKind[],
  onFault: (outcome: FaultOutcome) => void = () => undefined,
): Promise<RunOutcome> {
  const bootstraps = system.agents.map(({ bootstrap }) => bootstrap);
  await createTopics(bootstraps, topics, PARTITIONS);
  const traffic = await Promise.all(
    topics.map((topic) => startTraffic({ bootstrap: bootstraps.join(','), topic, recordsPerS: RECORDS_PER_S })),
  );
  const faults: FaultOutcome[] = [];
  try {
    await flow(traffic);
    for (const kind of kinds) {
      const primary = await pair.untilWhole();
      longestGapMs(traffic);
      await strike(pair, primary, kind);
      await pair.untilPrimary(pair.otherThan(primary));
      await undo(pair, primary, kind);
      await flow(traffic);
      const outcome = { kind, longestGapMs: longestGapMs(traffic) };
      faults.push(outcome);
      onFault(outcome);
    }
  } catch (error) {
    await Promise.allSettled(traffic.map((one) => one.stop()));
    throw error;
  }
  const sent = await Promise.all(traffic.map((one) => one.stop()));
  const audits = await Promise.all(topics.map((topic, index) => audit(bootstraps[0] ?? '', topic, sent[index])));
  return {
    faults,
    acknowledged: sum(audits.map(({ acknowledged }) => acknowledged)),
    lost: sum(audits.map(({ lost }) => lost)),
    doubled: sum(audits.map(({ doubled }) => doubled)),
    wrong: audits.flatMap(({ wrong }) => wrong),
  };
}

export async function createTopics(brokers: string[], names: readonly string[], numPartitions: number): Promise<void> {
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.createTopics({ topics: names.map((topic) => ({ topic, numPartitions })) });
  await admin.disconnect();
}

export async function deleteTopic(brokers: string[], topic: string): Promise<void> {
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [topic] });
  await admin.disconnect();
}

async function flow(traffic: readonly Traffic[]): Promise<void> {
  await Promise.all(traffic.map((one) => one.flows(RECORDS_BETWEEN_FAULTS)));
}

/** Over all producers, since the last call. */
function longestGapMs(traffic: readonly Traffic[]): number {
  return Math.max(...traffic.map((one) => one.takeLongestGapMs()));
}

async function strike(pair: PatroniPair, primary: PatroniNode, kind: FaultKind): Promise<void> {
  switch (kind) {
    case 'postgres-killed':
      return await primary.killPostgres();
    case 'server-killed':
      return await primary.kill();
    case 'isolated':
      return pair.cut(primary, ['etcd', 'peer', 'clients']);
    case 'cut-from-pair':
    case 'cut-then-killed':
      return pair.cut(primary, ['etcd', 'peer']);
  }
}

async function undo(pair: PatroniPair, struck: PatroniNode, kind: FaultKind): Promise<void> {
  if (kind === 'cut-then-killed') {
    await struck.kill();
  }
  if (kind === 'server-killed' || kind === 'cut-then-killed') {
    await struck.start();
  }
  pair.mend();
}

async function audit(bootstrap: string, topic: string, sent: Sent | undefined): Promise<Omit<RunOutcome, 'faults'>> {
  const { acknowledged, values } = sent ?? { acknowledged: [], values: [] };
  const stored: Consumed[] = (await storedBatches(bootstrap, topic, PARTITIONS)).flatMap((batch) =>
    batch.values.map((value, index) => ({
      partition: batch.partition,
      offset: Number(batch.baseOffset) + index,
      value,
    })),
  );
  return {
    acknowledged: acknowledged.length,
    lost: lostAcknowledgements(acknowledged, stored).length,
    doubled: stored.length - new Set(stored.map(({ value }) => value)).size,
    wrong: faultsOf(stored, values).map((fault) => `${topic}: ${fault}`),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
