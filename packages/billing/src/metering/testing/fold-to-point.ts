// A process that folds a journal up to a fail point and waits there until it is killed. Arguments: database URL, cluster
// id, fail point, how many times to pass it first, and entries per section.
import { withFailPoints } from '@penstock/platform/fail-point';
import { Pool } from 'pg';
import { foldBounds, foldJournal } from '../fold-journal.ts';
import { mainAlone } from './journal-fixture.ts';

const [databaseUrl, clusterId, point, passes, entries] = process.argv.slice(2);
const pool = new Pool({ connectionString: databaseUrl });
let left = Number(passes);

async function waitAtPoint(reached: string): Promise<void> {
  if (reached !== point) {
    return;
  }
  left -= 1;
  if (left >= 0) {
    return;
  }
  process.stdout.write('at the fail point\n');
  // Keeps the event loop alive: only a kill ends this process.
  await new Promise<never>(() => setInterval(() => undefined, 60_000));
}

const bounds = { ...foldBounds, entries: Number(entries) };
const fold = () => foldJournal(pool, mainAlone, clusterId ?? '', { bounds });
while (!(await withFailPoints(waitAtPoint, fold)).isCaughtUp) {}
await pool.end();
process.stdout.write('caught up\n');
