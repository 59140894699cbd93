// Resumes a cluster that was stopped because its journal lost acknowledged entries. See infra/docs/metadata-recovery.md.
import { createInterface } from 'node:readline/promises';
import {
  acceptLostTail,
  describePosition,
  inspectStopped,
  type ResumeDatabases,
  resumeRestored,
  type StoppedCluster,
} from '@penstock/metadata-journal';
import { AppError, isUuid, MAIN_CELL } from '@penstock/platform';
import { InvalidArgumentError } from 'commander';
import { onCells } from './cells.ts';
import { ADMIN, operator, operatorCommand } from './operator-command.ts';

const MANUAL = 'infra/docs/metadata-recovery.md';

const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

function invalid(message: string, remedy: string): AppError {
  return new AppError({ kind: 'invalid-input', code: 'resume_invalid', message, remedy });
}

function report({ stop, last, lostEntries }: StoppedCluster): string[] {
  const { witness, witnessed, stoppedAtMs } = stop;
  return [
    `Cluster ${stop.clusterId} is stopped since ${time(stoppedAtMs)}.`,
    `  Acknowledged:  entry ${describePosition(witnessed)}, known to ${witness}`,
    last === undefined
      ? '  Journal:       empty'
      : `  Journal:       ends at entry ${last.seq}, appended ${time(last.appendedAtMs)}; then it ended at ${describePosition(stop.last)}`,
    `  Lost:          at least ${lostEntries} ${lostEntries === 1 ? 'entry' : 'entries'}`,
  ];
}

async function confirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw invalid('Nobody is there to confirm that the lost entries are given up.', 'Add --yes if you are sure.');
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(
      'Records that these entries acknowledged are gone for consumers. Type "accept" to give them up: ',
    );
    return answer.trim() === 'accept';
  } finally {
    terminal.close();
  }
}

async function resume(
  databases: ResumeDatabases,
  clusterId: string,
  accepts: boolean,
  isSure: boolean,
): Promise<string[]> {
  const by = operator().label;
  const stopped = await inspectStopped(databases, clusterId);
  if (stopped === undefined) {
    return [`Cluster ${clusterId} is not stopped.`];
  }
  if (stopped.status === 'held') {
    await resumeRestored(databases.control, stopped, by);
    return [
      `The journal of cluster ${clusterId} holds entry ${describePosition(stopped.stop.witnessed)} again: nothing is lost.`,
      'The stop is lifted. Agents are served again within seconds.',
    ];
  }
  if (!accepts) {
    process.exitCode = 1;
    return [
      ...report(stopped),
      '',
      `The lost entries are not back. Restore them (${MANUAL}) and run this again, or give them up:`,
      `  ${ADMIN} metadata resume --cluster ${clusterId} --accept-lost-tail`,
    ];
  }
  process.stdout.write(`${report(stopped).join('\n')}\n`);
  if (!isSure && !(await confirmed())) {
    process.exitCode = 1;
    return ['Nothing was changed: the cluster stays stopped.'];
  }
  const spared = await acceptLostTail(databases, stopped, by, Date.now());
  if (spared === undefined) {
    return ['Somebody else resumed the cluster in the meantime.'];
  }
  return [
    'The lost entries are given up. Agents are served again within seconds, from what the journal has.',
    `Files that agents wrote from ${time(spared.fromMs)} to ${time(spared.toMs)} are not collected as orphans before ${time(spared.untilMs)}.`,
  ];
}

function clusterIdOf(text: string): string {
  if (!isUuid(text)) {
    throw new InvalidArgumentError('Name the cluster by its id.');
  }
  return text.toLowerCase();
}

export const resumeCluster = operatorCommand('resume', 'resumes a cluster that stopped because entries were lost')
  .requiredOption('--cluster <id>', 'which cluster', clusterIdOf)
  .option('--accept-lost-tail', 'give the lost entries up', false)
  .option('--yes', 'without asking', false)
  .action(({ cluster, acceptLostTail, yes }: { cluster: string; acceptLostTail: boolean; yes: boolean }) =>
    onCells(async ({ cells, directory }) => {
      const journal = cells.pool(await directory.cellOf(cluster));
      return await resume({ control: cells.pool(MAIN_CELL), journal }, cluster, acceptLostTail, yes);
    }),
  );
