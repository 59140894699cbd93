// Resumes a cluster that was stopped because its journal lost acknowledged entries, or because an invariant of its state is broken. See infra/docs/metadata-recovery.md.
import { createInterface } from 'node:readline/promises';
import {
  acceptLostTail,
  describePosition,
  inspectStopped,
  type ResumeDatabases,
  resumeMended,
  resumeRestored,
  type StoppedCluster,
} from '@penstock/metadata-journal';
import { AppError, isUuid, MAIN_CELL } from '@penstock/platform';
import { InvalidArgumentError } from 'commander';
import { onCells } from './cells.ts';
import { ADMIN, operator, operatorCommand } from './operator-command.ts';

const MANUAL = 'infra/docs/metadata-recovery.md';
const FAULT_MANUAL = 'infra/docs/metadata-faults.md';

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

/** The facts that an operator needs to find the fault. */
function faultReport({ stop }: StoppedCluster): string[] {
  const { clusterId, stoppedAtMs, fault } = stop;
  return fault === undefined
    ? []
    : [
        `Cluster ${clusterId} is stopped since ${time(stoppedAtMs)}, because an invariant of its state is broken.`,
        `  Entry:    ${describePosition(fault.position)} of its journal`,
        `  Command:  ${fault.command === '' ? 'none' : `${fault.command} ${fault.sha256}`}`,
        `  Message:  ${fault.message}`,
      ];
}

async function resumeFaulty(
  { control }: ResumeDatabases,
  stopped: StoppedCluster,
  isMended: boolean,
  by: string,
): Promise<string[]> {
  const { clusterId } = stopped.stop;
  if (!isMended) {
    process.exitCode = 1;
    return [
      ...faultReport(stopped),
      '',
      `Nothing is lost. Once each metadata process runs a release that mends this (${FAULT_MANUAL}), resume the cluster:`,
      `  ${ADMIN} metadata resume --cluster ${clusterId} --mended`,
    ];
  }
  return (await resumeMended(control, stopped, by))
    ? [...faultReport(stopped), 'The stop is lifted. Agents are served again within seconds, if the fault is mended.']
    : ['Somebody else resumed the cluster in the meantime.'];
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
  { accepts, isSure, isMended }: { accepts: boolean; isSure: boolean; isMended: boolean },
): Promise<string[]> {
  const by = operator().label;
  const stopped = await inspectStopped(databases, clusterId);
  if (stopped === undefined) {
    return [`Cluster ${clusterId} is not stopped.`];
  }
  if (stopped.stop.fault !== undefined) {
    return await resumeFaulty(databases, stopped, isMended, by);
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

interface ResumeOptions {
  cluster: string;
  acceptLostTail: boolean;
  mended: boolean;
  yes: boolean;
}

export const resumeCluster = operatorCommand(
  'resume',
  'resumes a cluster that stopped: entries were lost, or its state is broken',
)
  .requiredOption('--cluster <id>', 'which cluster', clusterIdOf)
  .option('--accept-lost-tail', 'give the lost entries up', false)
  .option('--mended', 'each metadata process runs a release that mends the broken state', false)
  .option('--yes', 'without asking', false)
  .action(({ cluster, acceptLostTail, mended, yes }: ResumeOptions) =>
    onCells(async ({ cells, directory }) => {
      const journal = cells.pool(await directory.cellOf(cluster));
      const choices = { accepts: acceptLostTail, isSure: yes, isMended: mended };
      return await resume({ control: cells.pool(MAIN_CELL), journal }, cluster, choices);
    }),
  );
