// Resumes clusters that were stopped because their journal lost acknowledged entries, or because an invariant of their state is broken. See
// infra/docs/metadata-recovery.md.
import { createInterface } from 'node:readline/promises';
import {
  acceptLostTail,
  describePosition,
  inspectStopped,
  type ResumeDatabases,
  readStoppedClusters,
  resumeMended,
  resumeRestored,
  type StoppedCluster,
} from '@penstock/metadata-journal';
import { AppError, isUuid, MAIN_CELL } from '@penstock/platform';
import { InvalidArgumentError } from 'commander';
import { type CellTools, onCells } from './cells.ts';
import { databasesOf, listStopped, time } from './metadata-stopped.ts';
import { ADMIN, operator, operatorCommand, print } from './operator-command.ts';

const MANUAL = 'infra/docs/metadata-recovery.md';
const FAULT_MANUAL = 'infra/docs/metadata-faults.md';

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

interface Choices {
  accepts: boolean;
  isSure: boolean;
  isMended: boolean;
}

async function resume(databases: ResumeDatabases, clusterId: string, choices: Choices): Promise<string[]> {
  const by = operator().label;
  const stopped = await inspectStopped(databases, clusterId);
  if (stopped === undefined) {
    return [`Cluster ${clusterId} is not stopped.`];
  }
  if (stopped.stop.fault !== undefined) {
    return await resumeFaulty(databases, stopped, choices.isMended, by);
  }
  if (stopped.status === 'held') {
    await resumeRestored(databases.control, stopped, by);
    return [
      `The journal of cluster ${clusterId} holds entry ${describePosition(stopped.stop.witnessed)} again: nothing is lost.`,
      'The stop is lifted. Agents are served again within seconds.',
    ];
  }
  if (!choices.accepts) {
    process.exitCode = 1;
    return [
      ...report(stopped),
      '',
      `The lost entries are not back. Restore them (${MANUAL}) and run this again, or give them up:`,
      `  ${ADMIN} metadata resume --cluster ${clusterId} --accept-lost-tail`,
    ];
  }
  process.stdout.write(`${report(stopped).join('\n')}\n`);
  if (!choices.isSure && !(await confirmed())) {
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

/** Resumes every stopped cluster that the choices allow. One that cannot be resumed does not hold up the others. */
async function resumeAll(tools: CellTools, choices: Choices): Promise<string[]> {
  const stops = await readStoppedClusters(tools.cells.pool(MAIN_CELL));
  if (stops.length === 0) {
    return ['No cluster is stopped.'];
  }
  if (choices.accepts && !choices.isSure) {
    print(await listStopped(tools, stops));
    if (!(await confirmed())) {
      process.exitCode = 1;
      return ['Nothing was changed: the clusters stay stopped.'];
    }
  }
  const lines: string[] = [];
  for (const { clusterId } of stops) {
    try {
      lines.push(...(await resume(await databasesOf(tools, clusterId), clusterId, { ...choices, isSure: true })), '');
    } catch (error) {
      process.exitCode = 1;
      lines.push(`Cluster ${clusterId} cannot be resumed: ${error instanceof Error ? error.message : error}`, '');
    }
  }
  const left = await readStoppedClusters(tools.cells.pool(MAIN_CELL));
  return [...lines, `${stops.length - left.length} of ${stops.length} clusters are resumed.`];
}

function clusterIdOf(text: string): string {
  if (!isUuid(text)) {
    throw new InvalidArgumentError('Name the cluster by its id.');
  }
  return text.toLowerCase();
}

interface ResumeOptions {
  cluster?: string;
  all: boolean;
  acceptLostTail: boolean;
  mended: boolean;
  yes: boolean;
}

export const resumeCluster = operatorCommand(
  'resume',
  'resumes clusters that stopped: entries were lost, or their state is broken',
)
  .option('--cluster <id>', 'which cluster', clusterIdOf)
  .option('--all', 'every stopped cluster', false)
  .option('--accept-lost-tail', 'give the lost entries up', false)
  .option('--mended', 'each metadata process runs a release that mends the broken state', false)
  .option('--yes', 'without asking', false)
  .action(({ cluster, all, acceptLostTail, mended, yes }: ResumeOptions) => {
    if (all === (cluster !== undefined)) {
      throw invalid('Name one cluster, or all of them.', 'Add --cluster <id> or --all.');
    }
    const choices = { accepts: acceptLostTail, isSure: yes, isMended: mended };
    return onCells(async (tools) =>
      cluster === undefined
        ? await resumeAll(tools, choices)
        : await resume(await databasesOf(tools, cluster), cluster, choices),
    );
  });
