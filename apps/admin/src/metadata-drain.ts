// Lists the metadata processes, and takes all clusters from one of them before it is stopped. The process hands them over itself, one by one.
import { setTimeout as pause } from 'node:timers/promises';
import { type ListedProcess, PostgresProcesses, type Processes } from '@penstock/metadata-journal';
import { AppError, MAIN_CELL } from '@penstock/platform';
import { onCells } from './cells.ts';
import { ADMIN, operatorCommand } from './operator-command.ts';

const POLL_MS = 500;

interface Options {
  process?: string;
  undo: boolean;
  wait: string;
}

export const drain = operatorCommand('drain', 'lists metadata processes, or hands over all clusters of one')
  .option('--process <url>', 'which one, by the URL that agents use or by its id')
  .option('--undo', 'let it own clusters again', false)
  .option('--wait <seconds>', 'how long to wait until it owns none', '300')
  .action((options: Options) =>
    onCells(async ({ cells }) => {
      const processes = new PostgresProcesses(cells.pool(MAIN_CELL));
      const listed = await processes.list();
      if (options.process === undefined) {
        return listed.length === 0 ? ['No metadata process runs.'] : listed.map(lineOf);
      }
      const chosen = findProcess(listed, options.process);
      return options.undo
        ? await undo(processes, chosen)
        : await drainProcess(processes, chosen, listed, secondsOf(options.wait));
    }),
  );

function lineOf({ ownerId, ownerUrl, clusters, isAccepting, isDraining }: ListedProcess): string {
  const notes = [...(isDraining ? ['draining'] : []), ...(isAccepting ? [] : ['opens no further clusters'])];
  return `${ownerUrl}  ${countOf(clusters)}${notes.map((note) => `, ${note}`).join('')}  ${ownerId}`;
}

function findProcess(listed: readonly ListedProcess[], wanted: string): ListedProcess {
  const found = listed.filter(({ ownerId, ownerUrl }) => ownerId === wanted || ownerUrl === wanted);
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new AppError({
      kind: 'not-found',
      code: 'process_unknown',
      message: `${found.length === 0 ? 'No' : 'More than one'} metadata process runs at ${wanted}.`,
      remedy: `\`${ADMIN} metadata drain\` lists them. A process that was killed stays in the list for 10 seconds.`,
    });
  }
  return only;
}

async function undo(processes: Processes, { ownerId, ownerUrl }: ListedProcess): Promise<string[]> {
  await processes.setDraining(ownerId, false);
  return [`${ownerUrl} may own clusters again. It gets its share within a minute.`];
}

async function drainProcess(
  processes: Processes,
  { ownerId, ownerUrl, clusters }: ListedProcess,
  listed: readonly ListedProcess[],
  waitSeconds: number,
): Promise<string[]> {
  if (!listed.some((other) => other.ownerId !== ownerId && other.isAccepting && !other.isDraining)) {
    throw new AppError({
      kind: 'refused',
      code: 'no_receiver',
      message: 'No other metadata process would take its clusters.',
      remedy: 'Start another one first.',
    });
  }
  const startedMs = performance.now();
  await processes.setDraining(ownerId, true);
  for (;;) {
    const now = (await processes.list()).find((process) => process.ownerId === ownerId);
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    if (now === undefined) {
      return [`${ownerUrl} has ended.`];
    }
    if (now.clusters === 0) {
      return [
        `${ownerUrl} owned ${countOf(clusters)} and owns none after ${seconds} s. Stop it now.`,
        `  It opens none until it restarts, or until \`${ADMIN} metadata drain --process ${ownerUrl} --undo\`.`,
      ];
    }
    if (seconds >= waitSeconds) {
      throw new AppError({
        kind: 'unavailable',
        code: 'still_draining',
        message: `After ${seconds} s, ${ownerUrl} still owns ${countOf(now.clusters)}.`,
        remedy:
          'It goes on. Run the command again to wait, or with --undo to end it. Its log says which cluster stays.',
      });
    }
    await pause(POLL_MS);
  }
}

function countOf(clusters: number): string {
  return clusters === 1 ? '1 cluster' : `${clusters} clusters`;
}

function secondsOf(text: string): number {
  if (!/^\d{1,5}$/.test(text)) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'wait_invalid',
      message: 'Give a whole number of seconds, 0 or more.',
      remedy: `\`${ADMIN} metadata drain --help\` shows the command.`,
    });
  }
  return Number(text);
}
