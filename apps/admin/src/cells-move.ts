// `npm run cells:move -- --cluster <id> --to <cell>`: moves a cluster to another cell, without stopping writes.
import { encodeFenceEntry } from '@penstock/metadata-core';
import { moveCluster, UnknownCluster } from '@penstock/metadata-journal';
import { MAIN_CELL } from '@penstock/platform';
import { requireFlag, runCellsCommand } from './cells.ts';
import { readFlags } from './operator-command.ts';

const USAGE = 'npm run cells:move -- --cluster <id> --to <cell>';

await runCellsCommand(USAGE, async ({ cells, directory }) => {
  const flags = readFlags({ cluster: { type: 'string' }, to: { type: 'string' } });
  const clusterId = requireFlag(flags.cluster, 'Say which cluster.', USAGE);
  const toCell = requireFlag(flags.to, 'Say into which cell.', USAGE);
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
    `Its old rows stay in ${fromCell} until \`npm run cells:clean\` removes them.`,
  ];
});
