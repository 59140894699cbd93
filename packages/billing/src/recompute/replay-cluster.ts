// Sums a cluster's hours from scratch: from the journal as far as it goes back, and from the chained meter blocks
// before that. It checks every hash, every seal and the sequence of entries. Errors are reported, and the rest is still
// summed.
import { CorruptDataError } from '@penstock/metadata-core';
import { readBacklog, readExtent } from '@penstock/metadata-journal';
import { MAIN_CELL } from '@penstock/platform';
import type { ClientBase } from 'pg';
import { readBlocks } from '../metering/ledger-tables.ts';
import { chainHash, genesisHash, type MeterBlock, MeterBlockChain, sealOf } from '../metering/meter-block.ts';
import { readEntry } from '../metering/meter-reading.ts';
import { CannotRecompute } from './cannot-recompute.ts';
import type { MeterHead } from './compare-bills.ts';
import { JournalCursor } from './journal-cursor.ts';
import { type ReplayedHour, ReplayedHours } from './replayed-hours.ts';

export interface ClusterReplay {
  hours: ReplayedHour[];
  /** Descriptions of the damage; empty if there is none. */
  damages: string[];
  /** Entries read from the journal and summed. */
  replayedEntries: number;
  /** Entries that were cut from the journal and are replaced by sealed blocks. */
  entriesInBlocksAlone: number;
  /** Entries that are not in the ledger yet, and therefore not in the hours. */
  waitingEntries: number;
}

const BLOCKS_PER_PAGE = 500;

export interface ReplaySources {
  /** The control plane's database, within one snapshot. */
  ledger: ClientBase;
  /** Another cell, within one snapshot that is not older. */
  openCell: (cell: string) => Promise<ClientBase>;
}

/** @throws CannotRecompute if a part of the journal is gone and its blocks lack the necessary figures */
export async function replayCluster(
  { ledger, openCell }: ReplaySources,
  clusterId: string,
  { month, heads }: { month: { startMs: number; endMs: number }; heads: readonly MeterHead[] },
): Promise<ClusterReplay> {
  const { rows } = await ledger.query<{ cell: string }>('SELECT cell FROM virtual_cluster WHERE id = $1', [clusterId]);
  // A purged cluster has no journal in any cell.
  const cell = rows[0]?.cell ?? MAIN_CELL;
  const journal = cell === MAIN_CELL ? ledger : await openCell(cell);
  const replay = new Replay({ ledger, journal, isLive: rows.length > 0 }, clusterId, month, heads);
  await replay.run();
  return replay.result();
}

interface JournalFacts {
  /** Null if the journal is empty. */
  firstSeq: bigint | null;
  /** The last entry that is in the ledger. */
  foldedSeq: bigint;
  waiting: number;
  /** The last entry that may have been cut. */
  mayBeCutThroughSeq: bigint;
}

class Replay {
  readonly #ledger: ClientBase;
  readonly #journal: ClientBase;
  readonly #isLive: boolean;
  readonly #clusterId: string;
  readonly #hours: ReplayedHours;
  /** The hashes that an invoice recorded, by entry. */
  readonly #heads: ReadonlyMap<bigint, Uint8Array>;
  readonly #damages: string[] = [];
  #replayedEntries = 0;
  #entriesInBlocksAlone = 0;
  #waitingEntries = 0;

  constructor(
    { ledger, journal, isLive }: { ledger: ClientBase; journal: ClientBase; isLive: boolean },
    clusterId: string,
    month: { startMs: number; endMs: number },
    heads: readonly MeterHead[],
  ) {
    this.#heads = new Map(heads.map(({ seq, hash }) => [seq, hash]));
    this.#ledger = ledger;
    this.#journal = journal;
    this.#isLive = isLive;
    this.#clusterId = clusterId;
    this.#hours = new ReplayedHours(clusterId, month);
  }

  result(): ClusterReplay {
    return {
      hours: this.#hours.hours(),
      damages: this.#damages,
      replayedEntries: this.#replayedEntries,
      entriesInBlocksAlone: this.#entriesInBlocksAlone,
      waitingEntries: this.#waitingEntries,
    };
  }

  async run(): Promise<void> {
    const { firstSeq, foldedSeq, waiting, mayBeCutThroughSeq } = await this.#journalFacts();
    this.#waitingEntries = waiting;
    const standsFromSeq = firstSeq ?? foldedSeq + 1n;
    if (standsFromSeq > mayBeCutThroughSeq + 1n && standsFromSeq > 1n) {
      const from = mayBeCutThroughSeq + 1n;
      this.#damages.push(`${entries(from, standsFromSeq - 1n)} missing from the journal, which was never cut there`);
    }
    const cursor = new JournalCursor(this.#journal, this.#clusterId, 0n);
    let before: MeterBlock | undefined;
    for await (const block of this.#blocks()) {
      this.#checkLinks(block, before);
      if (block.firstSeq < standsFromSeq) {
        this.#addCutBlock(block);
        // Inside a block whose entries were cut, there is nothing left to compare.
        this.#checkHead(block.lastSeq, block.hash);
        // Skips remaining entries of the block, because its figures include them.
        while ((await cursor.next(block.lastSeq)) !== undefined) {}
      } else {
        await this.#addWholeBlock(block, cursor);
      }
      before = block;
    }
    const coveredSeq = before?.lastSeq ?? 0n;
    if (coveredSeq === foldedSeq) {
      return;
    }
    this.#damages.push(`the ledger reaches entry ${foldedSeq}, its meter blocks entry ${coveredSeq}`);
    await this.#addEntries(coveredSeq + 1n, foldedSeq, cursor, () => undefined);
  }

  async #journalFacts(): Promise<JournalFacts> {
    const { rows } = await this.#ledger.query<{ seq: string }>({
      name: 'recompute-checkpoint',
      text: 'SELECT seq FROM metering_checkpoint WHERE cluster_id = $1',
      values: [this.#clusterId],
    });
    const foldedSeq = BigInt(rows[0]?.seq ?? '0');
    const { firstSeq } = await readExtent(this.#journal, this.#clusterId, foldedSeq);
    const { waitingEntries, oldestSnapshotSeq } = await readBacklog(this.#journal, this.#clusterId, foldedSeq);
    return {
      firstSeq,
      foldedSeq,
      waiting: waitingEntries,
      // A journal is cut behind its oldest snapshot, and deleted when its cluster is purged.
      mayBeCutThroughSeq: this.#isLive ? oldestSnapshotSeq : foldedSeq,
    };
  }

  async *#blocks(): AsyncIterable<MeterBlock> {
    for (let afterSeq = -1n; ; ) {
      const page = await readBlocks(this.#ledger, this.#clusterId, afterSeq, BLOCKS_PER_PAGE);
      yield* page;
      const last = page.at(-1);
      if (last === undefined) {
        return;
      }
      afterSeq = last.firstSeq;
    }
  }

  #checkLinks(block: MeterBlock, before: MeterBlock | undefined): void {
    const expectedSeq = (before?.lastSeq ?? 0n) + 1n;
    if (block.firstSeq !== expectedSeq) {
      this.#damages.push(`${entries(expectedSeq, block.firstSeq - 1n)} without a meter block`);
    } else if (!isSame(block.previousHash, before?.hash ?? genesisHash)) {
      this.#damages.push(`${blockName(block)} does not follow on the hash of the block before it`);
    }
    if (block.seal !== null && !isSame(block.seal, sealOf(block, before?.seal ?? genesisHash))) {
      this.#damages.push(
        `${blockName(block)} does not say what it was sealed with, or the block before it was changed`,
      );
    }
    if (block.seal === null && before != null && before.seal !== null) {
      this.#damages.push(`${blockName(block)} has lost its seal`);
    }
  }

  #checkHead(seq: bigint, hash: Uint8Array): void {
    const sealed = this.#heads.get(seq);
    if (sealed === undefined || isSame(sealed, hash)) {
      return;
    }
    this.#damages.push(`up to entry ${seq} the log is not the one that the invoice was sealed with`);
  }

  #addCutBlock(block: MeterBlock): void {
    if (block.aliveMinutes === null) {
      throw new CannotRecompute(
        `The journal of cluster ${this.#clusterId} has been cut, and ${blockName(block)} is from a time when blocks did not keep cluster-minutes.`,
        'Hours of that time stand in the ledger alone (table usage_hour); they cannot be recomputed.',
      );
    }
    this.#hours.addBlock(block);
    this.#entriesInBlocksAlone += Number(block.lastSeq - block.firstSeq + 1n);
  }

  async #addWholeBlock(block: MeterBlock, cursor: JournalCursor): Promise<void> {
    let hash = block.previousHash;
    // Builds the block again with the code that built it, in a chain that begins with it.
    const again = new MeterBlockChain(undefined);
    const damagesBefore = this.#damages.length;
    await this.#addEntries(block.firstSeq, block.lastSeq, cursor, (seq, entry, reading) => {
      hash = chainHash(hash, seq, entry);
      this.#checkHead(seq, hash);
      again.add(seq, entry, reading);
    });
    // The missing or unreadable entries are already reported, and explain the different hash.
    if (this.#damages.length > damagesBefore) {
      return;
    }
    if (!isSame(hash, block.hash)) {
      this.#damages.push(
        `${entries(block.firstSeq, block.lastSeq)} not what was folded: the hash of their block is another`,
      );
    }
    const rebuilt = again.sealed();
    const figures = rebuilt.map(({ bytesPerMinute, aliveMinutes }) => ({
      bytesPerMinute,
      aliveMinutes: block.aliveMinutes === null ? null : aliveMinutes,
    }));
    if (!isSameFigures(figures, block)) {
      this.#damages.push(`the figures of ${blockName(block)} are not those of its entries`);
    }
  }

  async #addEntries(
    firstSeq: bigint,
    lastSeq: bigint,
    cursor: JournalCursor,
    each: (seq: bigint, entry: Buffer, reading: ReturnType<typeof readEntry>) => void,
  ): Promise<void> {
    let expected = firstSeq;
    for (;;) {
      const row = await cursor.next(lastSeq);
      const nextSeq = row?.seq ?? lastSeq + 1n;
      if (nextSeq > expected) {
        this.#damages.push(`${entries(expected, nextSeq - 1n)} missing from the journal`);
      }
      if (row === undefined) {
        return;
      }
      expected = nextSeq + 1n;
      let reading: ReturnType<typeof readEntry>;
      try {
        reading = readEntry(row.entry);
      } catch (error) {
        if (!(error instanceof CorruptDataError)) {
          throw error;
        }
        this.#damages.push(`entry ${row.seq} cannot be read: ${error.message}`);
        continue;
      }
      this.#replayedEntries += 1;
      this.#hours.addEntry(row.seq, reading);
      each(row.seq, row.entry, reading);
    }
  }
}

function entries(firstSeq: bigint, lastSeq: bigint): string {
  return firstSeq === lastSeq ? `entry ${firstSeq} is` : `entries ${firstSeq} to ${lastSeq} are`;
}

function blockName({ firstSeq, lastSeq }: MeterBlock): string {
  return `the meter block of entries ${firstSeq} to ${lastSeq}`;
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

type Figures = Pick<MeterBlock, 'bytesPerMinute' | 'aliveMinutes'>;

function isSameFigures(rebuilt: readonly Figures[], block: Figures): boolean {
  const hours = (figures: readonly Figures[]): string => {
    const sums = new Map<string, number>();
    const add = (key: string, value: number): void => void sums.set(key, (sums.get(key) ?? 0) + value);
    for (const { bytesPerMinute, aliveMinutes } of figures) {
      for (const [minute, bytes] of Object.entries(bytesPerMinute)) {
        add(minute, bytes);
      }
      for (const [minute, modes] of Object.entries(aliveMinutes ?? {})) {
        for (const [mode, count] of Object.entries(modes)) {
          add(`${minute} ${mode}`, count);
        }
      }
    }
    return JSON.stringify([...sums].sort());
  };
  return hours(rebuilt) === hours([block]);
}
