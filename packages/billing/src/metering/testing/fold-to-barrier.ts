// A process that folds a journal up to a barrier and waits there until it is killed. Arguments: database URL, cluster
// id, barrier, how many times to pass it first, and entries per section.
import { Pool } from 'pg';
import { type FoldBarrier, foldBounds, foldJournal } from '../fold-journal.ts';
import { mainAlone } from './journal-fixture.ts';

const [databaseUrl, clusterId, barrier, passes, entries] = process.argv.slice(2);
const pool = new Pool({ connectionString: databaseUrl });
let left = Number(passes);

async function pass(reached: FoldBarrier): Promise<void> {
  if (reached !== barrier) {
    return;
  }
  left -= 1;
  if (left >= 0) {
    return;
  }
  process.stdout.write('at the barrier\n');
  // Keeps the event loop alive: only a kill ends this process.
  await new Promise<never>(() => setInterval(() => undefined, 60_000));
}

const bounds = { ...foldBounds, entries: Number(entries) };
while (!(await foldJournal(pool, mainAlone, clusterId ?? '', { bounds, pass })).isCaughtUp) {}
await pool.end();
process.stdout.write('caught up\n');
