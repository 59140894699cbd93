// `npm run bench -- scaling`: a cluster goes from six agents to three and back to six while Java clients send and read at a steady rate. Agents
// are stopped in the orderly way, one after the other. Prints errors that a client's application saw, records lost and doubled, the longest
// time without an acknowledgement and without a record, and how clients are spread. The first phase, in which nothing changes, is the baseline.
// PENSTOCK_BENCH_SCALE=0.1 makes a quick run that is not kept.
//   --protocol classic   of the consumer group; default: consumer
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildAgent } from '../../../infra/local/build.ts';
import type { RunningAgent, RunningSystem } from '../../../infra/local/system.ts';
import { describeMachine } from './machine.ts';
import { reportResult, rounded } from './results.ts';
import { type ClientsOutcome, type PhaseOfClients, ScalingClients } from './scaling/clients.ts';
import { agentOptions, servedTraffic, withPenstock } from './servers.ts';

const AGENTS = 6;
const CHANGED = 3;
const PARTITIONS = 48;
const PRODUCERS = 24;
const CONSUMERS = 24;
const RECORDS_PER_S = 2_400;
const scale = Number(process.env['PENSTOCK_BENCH_SCALE'] ?? 1);
/** How long the number of agents stays. */
const STEADY_MS = 60_000 * scale;
/** From one agent that goes or comes to the next. */
const APART_MS = Math.max(3_000, 20_000 * scale);
/** The default of Kafka's clients is five minutes: so long a client may stay with its agent when another would be its own by now. */
const METADATA_MAX_AGE_MS = 300_000 * scale;

const { values: options } = parseArgs({ options: { protocol: { type: 'string', default: 'consumer' } } });
const groupProtocol = options.protocol === 'classic' ? 'classic' : 'consumer';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Phase extends PhaseOfClients {
  key: string;
  title: string;
}

/** Clients by agent: producers by the records that an agent took, as all send alike, and consumers by the bytes that it sent. */
interface Spread {
  producers: number[];
  consumers: number[];
}

interface Measured {
  phases: Phase[];
  outcome: ClientsOutcome;
  spreadBefore: Spread;
  spreadAfter: Spread;
  /** From the signal until the process is gone. */
  stopMs: number[];
  /** From its start until an agent is ready. */
  startMs: number[];
}

function startServing(system: RunningSystem): Promise<RunningAgent> {
  return system.startAgent(agentOptions('produce,consume'));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function stopOrderly({ process: agent }: RunningAgent): Promise<void> {
  const { wasKilled } = await agent.stop();
  if (wasKilled) {
    throw new Error(`${agent.plan.name} did not stop in time and was killed`);
  }
}

/** How clients are spread over these agents while nothing changes for `durationMs`. */
async function spreadOf(agents: readonly RunningAgent[], durationMs: number): Promise<Spread> {
  const before = await Promise.all(agents.map(servedTraffic));
  await setTimeout(durationMs);
  const after = await Promise.all(agents.map(servedTraffic));
  const shares = (of: 'producedRecords' | 'fetchedBytes', clients: number): number[] => {
    const served = after.map((traffic, at) => traffic[of] - (before[at]?.[of] ?? 0));
    const all = served.reduce((sum, one) => sum + one, 0);
    return served.map((one) => rounded((clients * one) / all, 1));
  };
  return { producers: shares('producedRecords', PRODUCERS), consumers: shares('fetchedBytes', CONSUMERS) };
}

async function measure(system: RunningSystem): Promise<Measured> {
  while (system.agents.length < AGENTS) {
    await startServing(system);
  }
  const first = [...system.agents];
  const clients = await ScalingClients.start({
    bootstrap: first.map(({ bootstrap }) => bootstrap).join(','),
    topic: 'scaling',
    partitions: PARTITIONS,
    producers: PRODUCERS,
    consumers: CONSUMERS,
    recordsPerS: RECORDS_PER_S,
    groupProtocol,
    metadataMaxAgeMs: METADATA_MAX_AGE_MS,
  });
  try {
    return await scaleUnder(clients, system, first);
  } finally {
    clients.kill();
  }
}

async function scaleUnder(
  clients: ScalingClients,
  system: RunningSystem,
  first: readonly RunningAgent[],
): Promise<Measured> {
  const phases: Phase[] = [];
  const end = async (key: string, title: string): Promise<void> => {
    const phase = { key, title, ...(await clients.phase()) };
    phases.push(phase);
    show(phase);
  };
  // A JVM that has just started is slow.
  await setTimeout(STEADY_MS / 2);
  await clients.phase();

  const spreadBefore = await spreadOf(first, STEADY_MS);
  await end('six', `${AGENTS} agents, nothing changes`);

  const stopMs: number[] = [];
  for (const agent of first.slice(0, CHANGED)) {
    stopMs.push(await timed(() => stopOrderly(agent)));
    await setTimeout(APART_MS);
  }
  await end('to_three', `${CHANGED} of ${AGENTS} stop, ${APART_MS / 1_000} s apart`);

  await setTimeout(STEADY_MS);
  await end('three', `${AGENTS - CHANGED} agents, nothing changes`);

  const startMs: number[] = [];
  for (let started = 0; started < CHANGED; started += 1) {
    startMs.push(await timed(() => startServing(system)));
    await setTimeout(APART_MS);
  }
  // Until every client has asked for the agents again.
  await setTimeout(METADATA_MAX_AGE_MS);
  await end('to_six', `${CHANGED} start, and clients find them`);

  const spreadAfter = await spreadOf(system.agents.slice(CHANGED), STEADY_MS);
  await end('six_again', `${AGENTS} agents, nothing changes`);

  const outcome = await clients.stop();
  if (Object.keys(outcome.errors).length > 0) {
    say(`What clients reported last:\n${clients.log}`);
  }
  return { phases, outcome, spreadBefore, spreadAfter, stopMs, startMs };
}

function errorCount(errors: Record<string, number>): number {
  return Object.values(errors).reduce((sum, count) => sum + count, 0);
}

function show({ title, acknowledged, read, errors, ...of }: Phase): void {
  const cells = [
    acknowledged.records,
    acknowledged.longest_gap_ms,
    of.one_producer_gap_ms,
    acknowledged.p99_ms,
    acknowledged.max_ms,
    read.longest_gap_ms,
    of.one_consumer_gap_ms,
    read.p99_ms,
    read.max_ms,
    of.read_again,
    of.assigned,
    errorCount(errors),
  ];
  say(`  ${title.padEnd(38)}${cells.map((cell) => String(cell).padStart(9)).join('')}`);
}

function figures({ key, acknowledged, read, errors, ...of }: Phase): Record<string, number> {
  return {
    [`${key}_records`]: acknowledged.records,
    [`${key}_no_acknowledgement_ms`]: acknowledged.longest_gap_ms,
    [`${key}_one_producer_no_acknowledgement_ms`]: of.one_producer_gap_ms,
    [`${key}_publish_p99_ms`]: acknowledged.p99_ms,
    [`${key}_publish_max_ms`]: acknowledged.max_ms,
    [`${key}_no_record_ms`]: read.longest_gap_ms,
    [`${key}_one_consumer_no_record_ms`]: of.one_consumer_gap_ms,
    [`${key}_end_to_end_p99_ms`]: read.p99_ms,
    [`${key}_end_to_end_max_ms`]: read.max_ms,
    [`${key}_records_read_again`]: of.read_again,
    [`${key}_partitions_assigned`]: of.assigned,
    [`${key}_client_errors`]: errorCount(errors),
  };
}

await buildAgent();
const loadBefore = loadavg()[0] ?? 0;
say(
  `${PRODUCERS} producers and ${CONSUMERS} consumers, ${PARTITIONS} partitions, ${RECORDS_PER_S} records of 1 KiB per second. Java clients`,
);
say(
  `with the defaults of Kafka, group protocol ${groupProtocol}, metadata.max.age.ms=${METADATA_MAX_AGE_MS}. Times in ms:`,
);
say('the longest without an acknowledgement, of all clients and of one; p99 and maximum from send to acknowledgement;');
say('the same of records read, where p99 and maximum are from end to end. Then records read again, partitions that');
say('consumers were given although none came or went, and errors that applications saw.\n');
const heads = [
  'acked',
  'no ack',
  'of one',
  'p99',
  'max',
  'no read',
  'of one',
  'p99',
  'max',
  'again',
  'assigned',
  'errors',
];
say(`  ${''.padEnd(38)}${heads.map((head) => head.padStart(9)).join('')}`);
const measured = await withPenstock((_, system) => measure(system));
const { outcome, spreadBefore, spreadAfter, stopMs, startMs } = measured;
const counts = (clients: readonly number[]): string => clients.map((count) => count.toFixed(1)).join(' ');
say(
  `\n${outcome.acknowledged} of ${outcome.sent} records acknowledged, ${outcome.lost} lost, ${outcome.doubled} doubled, ${outcome.reordered} out of order, ${outcome.read_again} read again`,
);
say(`Errors that applications saw: ${errorCount(outcome.errors)} ${JSON.stringify(outcome.errors)}`);
say(`Clients by agent, where ${PRODUCERS / AGENTS} producers and ${CONSUMERS / AGENTS} consumers would be even:`);
say(`producers ${counts(spreadBefore.producers)} at first, ${counts(spreadAfter.producers)} at the end`);
say(`consumers ${counts(spreadBefore.consumers)} at first, ${counts(spreadAfter.consumers)} at the end`);
if (scale === 1) {
  await reportResult('scaling', {
    ...Object.assign({}, ...measured.phases.map(figures)),
    records_sent: outcome.sent,
    records_acknowledged: outcome.acknowledged,
    records_lost: outcome.lost,
    records_doubled: outcome.doubled,
    records_out_of_order: outcome.reordered,
    records_read_again: outcome.read_again,
    client_errors: errorCount(outcome.errors),
    client_errors_by_name: outcome.errors,
    fewest_producers_of_an_agent: Math.min(...spreadAfter.producers),
    most_producers_of_an_agent: Math.max(...spreadAfter.producers),
    fewest_consumers_of_an_agent: Math.min(...spreadAfter.consumers),
    most_consumers_of_an_agent: Math.max(...spreadAfter.consumers),
    producers_by_agent_before: spreadBefore.producers,
    producers_by_agent: spreadAfter.producers,
    consumers_by_agent_before: spreadBefore.consumers,
    consumers_by_agent: spreadAfter.consumers,
    agent_stop_ms: stopMs.map((ms) => rounded(ms)),
    agent_start_ms: startMs.map((ms) => rounded(ms)),
    load: {
      partitions: PARTITIONS,
      producers: PRODUCERS,
      consumers: CONSUMERS,
      records_per_s: RECORDS_PER_S,
      record_bytes: 1_024,
      group_protocol: groupProtocol,
      metadata_max_age_ms: METADATA_MAX_AGE_MS,
    },
    load_average_before: rounded(loadBefore, 2),
    machine: await describeMachine(),
  });
}
