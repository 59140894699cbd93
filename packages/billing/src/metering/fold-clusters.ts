// Folds the journals of many clusters until nothing is left, several clusters per transaction.
import type { Pool } from 'pg';
import { foldJournals, type JournalCells } from './fold-journal.ts';

/** Clusters per transaction: enough that its dozen statements do not matter. */
const CLUSTERS_AT_ONCE = 64;
/** Clusters per transaction once each had its turn: those that are left have many entries, and so each gets more of them. */
const LATE_CLUSTERS_AT_ONCE = 8;

export interface FoldedClusters {
  foldedEntries: number;
  /** Clusters whose journal could not be folded. The others were folded. */
  failed: string[];
  /** Clusters that may have more entries, because `isEnough` said so. */
  unfinished: string[];
}

/** @param isEnough asked between two transactions: whether to leave the rest */
export async function foldClusters(
  ledger: Pool,
  cells: JournalCells,
  clusterIds: readonly string[],
  isEnough: () => boolean = () => false,
): Promise<FoldedClusters> {
  const result: FoldedClusters = { foldedEntries: 0, failed: [], unfinished: [] };
  /** @returns those that may have more */
  const fold = async (batch: readonly string[]): Promise<string[]> => {
    try {
      const { foldedEntries, unfinished } = await foldJournals(ledger, cells, batch);
      result.foldedEntries += foldedEntries;
      return unfinished;
    } catch {
      // Nothing of the batch was folded: its halves are, until the cluster that fails is alone.
      const [first] = batch;
      if (batch.length === 1 && first !== undefined) {
        result.failed.push(first);
        return [];
      }
      const middle = Math.ceil(batch.length / 2);
      return [...(await fold(batch.slice(0, middle))), ...(await fold(batch.slice(middle)))];
    }
  };
  // Every cluster has a turn before one has its second.
  let waiting = [...clusterIds];
  let atOnce = CLUSTERS_AT_ONCE;
  while (waiting.length > 0 && !isEnough()) {
    const left: string[] = [];
    while (waiting.length > 0 && !isEnough()) {
      left.push(...(await fold(waiting.splice(0, atOnce))));
    }
    waiting = [...waiting, ...left];
    atOnce = LATE_CLUSTERS_AT_ONCE;
  }
  return { ...result, unfinished: waiting };
}
