// What is told of one seed, over the border of a process.
export interface SeedReport {
  seed: number;
  /** Null: every promise was kept. */
  failure: string | null;
  /** What led to it, oldest first. */
  recent: readonly string[];
  events: number;
  traceHash: string;
  acknowledgedBatches: number;
  runsRead: number;
  assignments: number;
  swaps: number;
  compactions: number;
  ms: number;
}
