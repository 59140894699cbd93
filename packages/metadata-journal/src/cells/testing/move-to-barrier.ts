// A process that moves a cluster up to a barrier and waits there until it is killed.
// Arguments: the cells as JSON, cluster id, organization id, target, barrier.
import { Pool } from 'pg';
import { Cells } from '../cells.ts';
import { PostgresCellDirectory } from '../homes.ts';
import { moveCluster } from '../move-cluster.ts';

const [urls = '{}', clusterId = '', organizationId = '', toCell = '', barrier] = process.argv.slice(2);
const cells = new Cells(
  new Map(Object.entries<string>(JSON.parse(urls))),
  (connectionString) => new Pool({ connectionString, max: 4 }),
);
await moveCluster({
  cells,
  directory: new PostgresCellDirectory(cells.pool('main')),
  clusterId,
  organizationId,
  toCell,
  fenceEntry: () => Buffer.from('fence of the killed mover'),
  pass: async (reached) => {
    if (reached !== barrier) {
      return;
    }
    process.stdout.write('at the barrier\n');
    // Nothing else ends this process. The timer keeps the event loop alive.
    await new Promise<never>(() => setInterval(() => undefined, 60_000));
  },
});
