// Kafka Streams, Kafka Connect, a schema registry and MirrorMaker on compacted topics, in parallel on one Penstock, or
// on one Apache Kafka to compare with.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafkaBroker } from '../../../infra/local/kafka-broker.ts';
import { kafkaEcosystemJars } from '../../../infra/local/tools.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { runConnect } from './connect.ts';
import { runConnectOnce } from './connect-once.ts';
import { runFlink } from './flink.ts';
import { runMirror } from './mirror.ts';
import { growing, type RoundReport } from './rounds.ts';
import { runRegistry } from './schemas.ts';
import { type ComparedKafka, Stage } from './stage.ts';
import { runTable } from './table.ts';

export interface EcosystemPlan {
  tableRounds: number;
  registryRounds: number;
  connectRestarts: number;
  /** Number of restarts of a Connect worker with an exactly-once source. */
  onceRestarts: number;
  mirrorRounds: number;
  /** Number of rounds in which Flink copies records. */
  flinkRounds: number;
  /** Whether each round waits until its topics are compacted, which takes minutes. */
  compacts: boolean;
}

export interface EcosystemOutcome {
  reports: RoundReport[];
  wrong: string[];
}

interface Stoppable {
  /** Processes that ended by themselves. */
  deaths: string[];
  stop(): Promise<void>;
}

function startPenstock(): Promise<TestSystem> {
  // Agents that serve clients cache nothing that they write or read, so each fetch reads the current files.
  const serves = { env: { PENSTOCK_ROLES: 'produce,consume', PENSTOCK_CACHE_BYTES: '0' } };
  return startTestSystem({ agents: [serves, { env: { PENSTOCK_ROLES: 'jobs' } }] });
}

async function startKafka(): Promise<ComparedKafka & Stoppable> {
  const home = await mkdtemp(join(tmpdir(), 'penstock-ecosystem-'));
  const broker = await startKafkaBroker(join(home, 'broker'), '512m');
  const stop = async (): Promise<void> => {
    await broker.stop();
    await rm(home, { recursive: true, force: true });
  };
  return { bootstrap: broker.bootstrap, home, deaths: [], stop };
}

export async function runEcosystem(
  { tableRounds, registryRounds, connectRestarts, onceRestarts, mirrorRounds, flinkRounds, compacts }: EcosystemPlan,
  onRound: (report: RoundReport) => void = () => undefined,
  onFault: (fault: string) => void = () => undefined,
): Promise<EcosystemOutcome> {
  // Downloaded once, before all parts need them.
  await kafkaEcosystemJars();
  const system = process.env['PENSTOCK_E2E_TARGET'] === 'kafka' ? await startKafka() : await startPenstock();
  const stage = new Stage(system);
  const reports: RoundReport[] = [];
  const wrong: string[] = [];
  const blame = (fault: string): void => {
    wrong.push(fault);
    onFault(fault);
  };
  const report = (round: RoundReport): void => {
    reports.push(round);
    onRound(round);
  };
  try {
    await stage.open();
    const parts = [
      { run: runTable, rounds: tableRounds },
      { run: runConnect, rounds: connectRestarts },
      { run: runConnectOnce, rounds: onceRestarts },
      { run: runRegistry, rounds: registryRounds },
      { run: runMirror, rounds: mirrorRounds },
      { run: runFlink, rounds: flinkRounds },
    ].filter(({ rounds }) => rounds > 0);
    // One failure does not stop the others.
    const running = parts.map(({ run, rounds }) => run(stage, { rounds, compacts, report }));
    await Promise.all(running.map((part) => part.catch((error: unknown) => blame(String(error)))));
    for (const fault of [...system.deaths, ...(compacts ? growing(reports) : [])]) {
      blame(fault);
    }
    return { reports, wrong };
  } finally {
    await stage.close();
    await system.stop();
  }
}
