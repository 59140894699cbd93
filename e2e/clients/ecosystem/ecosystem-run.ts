// Kafka Streams, Kafka Connect, a schema registry and MirrorMaker on compacted topics, in parallel on one Penstock.
import { kafkaEcosystemJars } from '../../../infra/local/tools.ts';
import { startTestSystem } from '../support/system.ts';
import { runConnect } from './connect.ts';
import { runMirror } from './mirror.ts';
import { growing, type RoundReport } from './rounds.ts';
import { runRegistry } from './schemas.ts';
import { Stage } from './stage.ts';
import { runTable } from './table.ts';

export interface EcosystemPlan {
  tableRounds: number;
  registryRounds: number;
  connectRestarts: number;
  mirrorRounds: number;
  /** Whether each round waits until its topics are compacted, which takes minutes. */
  compacts: boolean;
}

export interface EcosystemOutcome {
  reports: RoundReport[];
  wrong: string[];
}

export async function runEcosystem(
  { tableRounds, registryRounds, connectRestarts, mirrorRounds, compacts }: EcosystemPlan,
  onRound: (report: RoundReport) => void = () => undefined,
  onFault: (fault: string) => void = () => undefined,
): Promise<EcosystemOutcome> {
  // Downloaded once, before all parts need them.
  await kafkaEcosystemJars();
  // Agents that serve clients cache nothing that they write or read, so each fetch reads the current files.
  const serves = { env: { PENSTOCK_ROLES: 'produce,consume', PENSTOCK_CACHE_BYTES: '0' } };
  const system = await startTestSystem({ agents: [serves, { env: { PENSTOCK_ROLES: 'jobs' } }] });
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
      { run: runRegistry, rounds: registryRounds },
      { run: runMirror, rounds: mirrorRounds },
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
