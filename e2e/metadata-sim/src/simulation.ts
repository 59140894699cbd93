// One run: a seed, a minute or two of work and faults, then calm, and an audit of all promises.
import { clusterTotals } from '@penstock/metadata-core';
import type { Agent, SimTopic } from './agents/agent.ts';
import type { Bounds, Payload } from './auditor/log-auditor.ts';
import { AccessAdmins } from './clients/access-admin.ts';
import { Consumers, checkCommitted } from './clients/consumers.ts';
import { NewConsumers } from './clients/new-consumers.ts';
import { Operator } from './clients/operator.ts';
import { Producers } from './clients/producers.ts';
import { Readers } from './clients/readers.ts';
import { Transactions } from './clients/transactions.ts';
import { Trace } from './kernel/trace.ts';
import { Nemesis } from './nemesis.ts';
import { World } from './world.ts';

const WORK_MS = 60_000;
const CALMING_MS = 30_000;
/** More than enough time for every open call to be answered once the faults have stopped. */
const SETTLING_MS = 15 * 60_000;
/** Agents call at least every few seconds. */
const NOTICING_MS = 60_000;
const AUDIT_MS = 15 * 60_000;
const MAX_READS = 10_000;
const MAX_INSPECTIONS = 50;

export interface SimulationResult {
  seed: number;
  /** Null: every promise was kept. */
  failure: Error | null;
  /** The last events, oldest first. */
  recent: readonly string[];
  events: number;
  traceHash: string;
  acknowledgedBatches: number;
  runsRead: number;
  /** How often a member of a group was assigned its partitions. */
  assignments: number;
  /** Merged files that replaced others. */
  swaps: number;
  /** Those of them that were compacted. */
  compactions: number;
}

/** Activities of only some seeds. A history with an emphasis always includes it; without one, the seed decides. */
export type Emphasis = 'consumer-groups' | 'lost-tail' | 'transactions' | 'users';

/** Runs a seed. A broken promise is a result, not an exception. */
export async function simulate(
  seed: number,
  { onEvent, emphasis }: { onEvent?: (event: string) => void; emphasis?: Emphasis | undefined } = {},
): Promise<SimulationResult> {
  const trace = new Trace(onEvent);
  const world = new World(seed, trace);
  trace.clock = () => world.scheduler.nowMs;
  const operator = new Operator(world);
  const producers = new Producers(world);
  const readers = new Readers(world);
  const consumers = new Consumers(world);
  const accessAdmins = new AccessAdmins(world, seed % 10 === 3 || emphasis === 'users');
  const transactions = new Transactions(world, seed % 4 === 2 || emphasis === 'transactions', seed % 8 >= 4);
  const newConsumers = new NewConsumers(world, seed % 5 === 4 || emphasis === 'consumer-groups');
  const nemesis = new Nemesis(world, emphasis === 'lost-tail');
  const { scheduler } = world;
  const hasFailed = (): boolean => world.failure !== undefined;
  await scheduler.run(WORK_MS, hasFailed);

  trace.add('calm');
  nemesis.isFinishing = true;
  operator.isFinishing = true;
  consumers.isFinishing = true;
  newConsumers.isFinishing = true;
  accessAdmins.isFinishing = true;
  transactions.isFinishing = true;
  world.weather.calm();
  for (const { machine } of [...world.processes, ...world.agents]) {
    machine.setOffset(0);
  }
  for (const [at, { machine }] of world.processes.entries()) {
    if (machine.isDead) {
      world.startProcess(at);
    }
  }
  producers.finish();
  // Faults that started before the calm end in it: pauses, cuts, hanging connections.
  await scheduler.run(CALMING_MS, hasFailed);
  if (world.lostTail !== undefined) {
    await scheduler.run(NOTICING_MS, hasFailed);
  } else {
    await scheduler.run(
      SETTLING_MS,
      () => hasFailed() || (operator.isIdle && producers.unsettled === 0 && transactions.isIdle),
    );
    if (producers.unsettled > 0) {
      world.fail(new Error(`${producers.unsettled} batches never got an answer although all faults had ended`));
    }
  }
  if (!hasFailed()) {
    let isDone = false;
    (world.lostTail?.audit() ?? audit(world, accessAdmins, transactions))
      .catch((error: unknown) => world.fail(error))
      .finally(() => {
        isDone = true;
      });
    await scheduler.run(AUDIT_MS, () => isDone);
    if (!isDone) {
      world.fail(new Error('the cluster does not answer although all faults have ended'));
    }
  }
  return {
    seed,
    failure: world.failure ?? null,
    recent: [...trace.recent],
    events: scheduler.fired,
    traceHash: trace.digest(),
    acknowledgedBatches: world.auditor.logs.acknowledgedBatches,
    runsRead: readers.runsRead,
    assignments: world.auditor.groups.assignedMembers,
    swaps: world.swaps,
    compactions: world.compactions,
  };
}

/** Checks every promise against what clients find. @throws AuditFailure */
async function audit(world: World, accessAdmins: AccessAdmins, transactions: Transactions): Promise<void> {
  const { auditor, trace } = world;
  const agent = world.anyAgent();
  const { topics } = await agent.client.call('describeCluster', {});
  auditor.inspectTopics(topics.map(({ topicId }) => Buffer.from(topicId).toString('hex')));
  for (const { group, topicPartition } of auditor.groups.committed) {
    await checkCommitted(world, group, [topicPartition]);
  }
  await accessAdmins.audit();
  for (let attempt = 1; attempt <= MAX_INSPECTIONS; attempt += 1) {
    const before = world.meter.uncompressedBytes;
    for (const topic of world.topics) {
      const { name, partitions } = topic;
      for (let partition = 0; partition < partitions; partition += 1) {
        const { bounds, log } = await readLog(world, agent, topic, partition);
        auditor.logs.inspect(name, partition, bounds, log);
        trace.add(`${name}-${partition} from ${bounds.logStartOffset} to ${bounds.highWatermark}`);
      }
    }
    await transactions.audit();
    const metered = await meteredBytes(world);
    // A file whose producers gave up long ago may be committed meanwhile: then the logs have grown, too.
    if (world.meter.uncompressedBytes === before && metered.length > 0) {
      for (const bytes of metered) {
        auditor.inspectMeter(bytes, before);
      }
      trace.add(`${before} bytes metered`);
      return;
    }
  }
  throw new Error('the cluster does not come to rest although all faults have ended');
}

/** By the total of every owner that answers: one, if leases work. */
async function meteredBytes(world: World): Promise<bigint[]> {
  const metered: bigint[] = [];
  for (const { machine, owners } of world.processes) {
    for (const owner of machine.isDead ? [] : owners.openOwners) {
      const totals = await owner.read((state) => clusterTotals(state)).catch(() => undefined);
      if (totals !== undefined) {
        metered.push(totals.uncompressedBytes);
      }
    }
  }
  return metered;
}

async function readLog(
  world: World,
  agent: Agent,
  topic: SimTopic,
  partition: number,
): Promise<{ bounds: Bounds; log: { payload: Payload; offset: number }[] }> {
  const { logs } = world.auditor;
  let log: { payload: Payload; offset: number }[] = [];
  let next = 0;
  for (let answers = 0; answers < MAX_READS; answers += 1) {
    const found = await agent.locate(topic, partition, next);
    if (found.kind === 'failed') {
      break;
    }
    if (found.kind === 'refused') {
      // The log was truncated, or retention continued meanwhile: start again from the beginning.
      next = found.bounds.logStartOffset;
      log = [];
      continue;
    }
    if (found.runs.length === 0) {
      return { bounds: found.bounds ?? { logStartOffset: 0, highWatermark: 0 }, log };
    }
    for (const { run, content } of found.runs) {
      if (content === undefined) {
        logs.missing(topic.name, partition, run);
        break;
      }
      logs.reached(topic.name, partition, run, next);
      // A merged run may start before the offset read so far.
      const batches = logs.found(topic.name, partition, run, content);
      log.push(...batches.filter(({ payload, offset }) => offset + payload.records > next));
      next = run.baseOffset + run.records;
    }
  }
  throw new Error(`${topic.name}-${partition} cannot be read at ${next}`);
}
