// Moves a cluster to another cell while it is being written to. The owner continues until the target is nearly level. Then it releases the
// cluster, the rest is copied behind a fence, and one row of the source commits the move (see placement.ts). If killed at any point and run
// again, it continues.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fenced } from '../errors.ts';
import { JOURNAL_START } from '../position.ts';
import { PostgresJournal } from '../postgres/postgres-journal.ts';
import type { Cells } from './cells.ts';
import { completeMove } from './complete-move.ts';
import { ClusterCopy, MoveSuperseded } from './copy-cluster.ts';
import type { CellDirectory } from './homes.ts';
import { checkCell } from './init-cell.ts';
import {
  abandonMove,
  askToLeave,
  claimSource,
  claimTarget,
  commitMove,
  readPlacement,
  takeLeaving,
} from './placement.ts';

/** With at most this many entries left, the owner is asked to release the cluster. */
const NEARLY_LEVEL_ENTRIES = 200;
/** How long other processes stay away from a cluster whose mover is silent. If it has died, the source is opened again after this. */
const HOLD_MS = 10_000;
/** The interval between checks whether the owner has released the cluster. */
const LOOK_INTERVAL_MS = 5;
/** The interval between copies of what the owner has appended meanwhile. */
const COPY_INTERVAL_MS = 200;
/** An owner releases the cluster at its next renewal, and a dead owner's lease expires. Neither takes longer than the longest lease TTL. */
const OWNER_TIMEOUT_MS = 90_000;

/** The cluster cannot be moved in its current state; nothing has changed. */
export class CannotMove extends Error {
  override readonly name = 'CannotMove';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** Points within a move at which a test kills the process. */
export const moveBarriers = [
  'claimed',
  'copied',
  'asked',
  'taken',
  'fenced',
  'level',
  'committed',
  'completed',
] as const;
export type MoveBarrier = (typeof moveBarriers)[number];

export interface MoveOptions {
  cells: Cells;
  directory: CellDirectory;
  clusterId: string;
  organizationId: string;
  toCell: string;
  /**
   * Makes an entry that changes nothing. Appended at the source, it keeps an owner that was paused during the move from appending there.
   * @param previous the last entry
   * @param databaseMs the source's clock
   */
  fenceEntry: (previous: Uint8Array, databaseMs: number) => Uint8Array;
  /** Reports progress to the operator. */
  onProgress?: (text: string) => void;
  /** For tests: called at each barrier. */
  pass?: (barrier: MoveBarrier) => Promise<void>;
}

export interface MoveResult {
  fromCell: string;
  copiedEntries: number;
  copiedBytes: number;
  /** How long no process could own the cluster: from the owner's release to the commit. 0 when it was already in the target. */
  unownedMs: number;
}

/** @throws CannotMove, MoveSuperseded, CopyDiffers, UnknownCell, UnknownCluster */
export async function moveCluster(options: MoveOptions): Promise<MoveResult> {
  const { cells, directory, clusterId, toCell } = options;
  // An earlier run may have got as far as its commit.
  await completeMove(cells, directory, clusterId, await directory.cellOf(clusterId));
  const fromCell = await directory.cellOf(clusterId);
  if (fromCell === toCell) {
    return { fromCell, copiedEntries: 0, copiedBytes: 0, unownedMs: 0 };
  }
  await checkCell(cells.pool(toCell));
  const move = new Move(options, fromCell);
  try {
    return await move.run();
  } catch (error) {
    // If the source is unreachable as well, its hold expires by itself.
    await move.abandon().catch(() => undefined);
    throw error;
  }
}

class Move {
  readonly #options: MoveOptions;
  readonly #fromCell: string;
  readonly #mover = `mover:${randomUUID()}`;
  readonly #copy: ClusterCopy;

  constructor(options: MoveOptions, fromCell: string) {
    this.#options = options;
    this.#fromCell = fromCell;
    const { cells, clusterId, toCell } = options;
    this.#copy = new ClusterCopy({
      source: cells.pool(fromCell),
      target: cells.pool(toCell),
      clusterId,
      mover: this.#mover,
    });
  }

  get #source() {
    return this.#options.cells.pool(this.#fromCell);
  }

  get #target() {
    return this.#options.cells.pool(this.#options.toCell);
  }

  async run(): Promise<MoveResult> {
    const { cells, directory, clusterId, onProgress = () => undefined } = this.#options;
    const pass = this.#options.pass ?? (async () => undefined);
    await this.#claim();
    await pass('claimed');
    for (;;) {
      await this.#comeNear(onProgress);
      await pass('copied');
      onProgress('The target is nearly level: asking the owner to let go');
      const epoch = await this.#takeLease(pass);
      const startedMs = performance.now();
      await pass('taken');
      await this.#fence();
      await pass('fenced');
      await this.#copy.copyTail();
      await this.#copy.copyDeadFiles();
      await this.#copy.verify();
      await pass('level');
      if (!(await commitMove(this.#source, clusterId, this.#mover, epoch))) {
        await this.#requireClaim();
        onProgress('The cluster was opened in its old cell meanwhile: copying what has come since');
        continue;
      }
      const unownedMs = performance.now() - startedMs;
      await pass('committed');
      await completeMove(cells, directory, clusterId, this.#fromCell);
      await pass('completed');
      const { copiedEntries, copiedBytes } = this.#copy;
      return { fromCell: this.#fromCell, copiedEntries, copiedBytes, unownedMs };
    }
  }

  /** Before the commit: lets the source be opened again. After it: does nothing. */
  async abandon(): Promise<void> {
    await abandonMove(this.#source, this.#options.clusterId, this.#mover);
  }

  /** Claims the source first: from then on no earlier mover can commit, so what it has written to the target does not count. */
  async #claim(): Promise<void> {
    const { clusterId, toCell } = this.#options;
    if (!(await claimSource(this.#source, clusterId, this.#mover, toCell))) {
      throw new CannotMove(
        `Cluster ${clusterId} does not live in cell ${this.#fromCell}.`,
        'Run the command again; if it says the same, look at the row of the cluster in metadata_lease.',
      );
    }
    const before = await readPlacement(this.#target, clusterId);
    if (!(await claimTarget(this.#target, clusterId, this.#mover, this.#fromCell))) {
      throw new CannotMove(
        `Cell ${toCell} has an owner's lease for cluster ${clusterId}.`,
        `Are ${this.#fromCell} and ${toCell} the same database? Look at PENSTOCK_CELLS.`,
      );
    }
    await this.#copy.begin(before?.placement === 'arriving' && before.otherCell === this.#fromCell);
  }

  /** Copies until hardly anything is left, comparing on the way. */
  async #comeNear(onProgress: (text: string) => void): Promise<void> {
    for (;;) {
      const entries = await this.#copy.catchUp();
      await this.#copy.verify();
      onProgress(`${this.#copy.copiedEntries} entries copied and compared (${this.#copy.copiedBytes} bytes)`);
      if (entries <= NEARLY_LEVEL_ENTRIES) {
        return;
      }
    }
  }

  /** Resolves with the epoch under which this mover holds the source's lease. */
  async #takeLease(pass: (barrier: MoveBarrier) => Promise<void>): Promise<string> {
    const { clusterId } = this.#options;
    const ask = async (): Promise<void> => {
      if (!(await askToLeave(this.#source, clusterId, this.#mover, HOLD_MS))) {
        throw new MoveSuperseded(clusterId);
      }
    };
    const startedMs = performance.now();
    let copiedMs = startedMs;
    await ask();
    await pass('asked');
    for (;;) {
      const epoch = await takeLeaving(this.#source, clusterId, this.#mover, HOLD_MS);
      if (epoch !== undefined) {
        return epoch;
      }
      const nowMs = performance.now();
      if (nowMs > startedMs + OWNER_TIMEOUT_MS) {
        throw new CannotMove(
          `The owner of cluster ${clusterId} does not let go of it.`,
          'Check that its metadata process answers, restart it if it hangs, then run the command again.',
        );
      }
      if (nowMs > copiedMs + COPY_INTERVAL_MS) {
        await ask();
        await this.#copy.copyTail();
        copiedMs = nowMs;
      }
      await sleep(LOOK_INTERVAL_MS);
    }
  }

  /** From here on, any earlier owner's append collides, however long it was in flight. */
  async #fence(): Promise<void> {
    const { clusterId, organizationId, fenceEntry } = this.#options;
    const journal = new PostgresJournal(this.#source);
    for (;;) {
      const { rows } = await this.#source.query<{ seq: string; hash: Buffer; entry: Buffer; now_ms: number }>(
        `SELECT seq, entry, COALESCE(hash, sha256($2::bytea || entry)) AS hash,
           floor(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8 AS now_ms
         FROM metadata_journal WHERE cluster_id = $1 ORDER BY seq DESC LIMIT 1`,
        [clusterId, JOURNAL_START.hash],
      );
      const [last] = rows;
      // The cluster was never opened, so no owner can have been paused.
      if (last === undefined) {
        return;
      }
      try {
        const previous = { seq: Number(last.seq), hash: last.hash };
        await journal.append({ clusterId, organizationId }, previous, fenceEntry(last.entry, last.now_ms));
        return;
      } catch (error) {
        // An earlier owner's append was still in flight: it counts.
        if (!(error instanceof Fenced)) {
          throw error;
        }
      }
    }
  }

  async #requireClaim(): Promise<void> {
    const row = await readPlacement(this.#source, this.#options.clusterId);
    if (row?.mover !== this.#mover) {
      throw new MoveSuperseded(this.#options.clusterId);
    }
  }
}
