import { encodeFenceEntry } from '@penstock/metadata-core';
import { moveCluster, UnknownCluster } from '@penstock/metadata-journal';
import { MAIN_CELL } from '@penstock/platform';
import { type CellTools, onCells } from './cells.ts';
import { ADMIN, operatorCommand } from './operator-command.ts';

async function move({ cells, directory }: CellTools, clusterId: string, toCell: string): Promise<string[]> {
  const { rows } = await cells
    .pool(MAIN_CELL)
    .query<{ organization_id: string }>('SELECT organization_id FROM virtual_cluster WHERE id::text = $1', [clusterId]);
  const [cluster] = rows;
  if (cluster === undefined) {
    throw new UnknownCluster(clusterId);
  }
  const { fromCell, copiedEntries, copiedBytes, unownedMs } = await moveCluster({
    cells,
    directory,
    clusterId,
    organizationId: cluster.organization_id,
    toCell,
    fenceEntry: encodeFenceEntry,
    onProgress: (text) => process.stdout.write(`• ${text}\n`),
  });
  if (fromCell === toCell) {
    return [`Cluster ${clusterId} lives in ${toCell}.`];
  }
  return [
    `Cluster ${clusterId} has moved from ${fromCell} to ${toCell}: ${copiedEntries} entries, ${copiedBytes} bytes.`,
    `No process could own it for ${unownedMs.toFixed(0)} ms; its producers waited for that and for its opening.`,
    `Its old rows stay in ${fromCell} until \`${ADMIN} cells clean\` removes them.`,
  ];
}

export const moveToCell = operatorCommand('move', 'moves a cluster to another cell while it is written to')
  .requiredOption('--cluster <id>', 'which cluster')
  .requiredOption('--to <cell>', 'its name in PENSTOCK_CELLS')
  .action(({ cluster, to }: { cluster: string; to: string }) => onCells((tools) => move(tools, cluster, to)));
