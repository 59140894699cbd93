// Lists clusters that were stopped because their journal lost acknowledged entries, or because an invariant of their state is broken.
import {
  inspectStopped,
  type ResumeDatabases,
  readStoppedClusters,
  type StoppedCluster,
} from '@penstock/metadata-journal';
import { MAIN_CELL } from '@penstock/platform';
import { type CellTools, onCells } from './cells.ts';
import { operatorCommand } from './operator-command.ts';

/** A time as operators read it, in UTC. */
export const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** One line per stopped cluster: since when, and why. */
export async function listStopped(tools: CellTools, stops: readonly { clusterId: string }[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { clusterId } of stops) {
    const stopped = await inspectStopped(await databasesOf(tools, clusterId), clusterId);
    if (stopped !== undefined) {
      lines.push(`${clusterId}  since ${time(stopped.stop.stoppedAtMs)}  ${reasonOf(stopped)}`);
    }
  }
  return lines;
}

function reasonOf({ stop: { fault, witnessed }, status, lostEntries }: StoppedCluster): string {
  if (fault !== undefined) {
    return `broken state at entry ${fault.position.seq}${fault.command === '' ? '' : `, command ${fault.command}`}`;
  }
  if (status === 'held') {
    return `the lost entries are back up to ${witnessed.seq}: resume it`;
  }
  return `at least ${lostEntries} lost ${lostEntries === 1 ? 'entry' : 'entries'}, up to ${witnessed.seq}`;
}

/** The databases that hold data of a cluster. */
export async function databasesOf({ cells, directory }: CellTools, clusterId: string): Promise<ResumeDatabases> {
  return { control: cells.pool(MAIN_CELL), journal: cells.pool(await directory.cellOf(clusterId)) };
}

export const stoppedClusters = operatorCommand('stopped', 'lists clusters that stopped, since when and why').action(
  () =>
    onCells(async (tools) => {
      const stops = await readStoppedClusters(tools.cells.pool(MAIN_CELL));
      return stops.length === 0 ? ['No cluster is stopped.'] : await listStopped(tools, stops);
    }),
);
