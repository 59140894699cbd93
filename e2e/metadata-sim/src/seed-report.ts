// The report of one seed, passed between processes.
export interface SeedReport {
  seed: number;
  /** Null: every promise was kept. */
  failure: string | null;
  /** The events that led to it, oldest first. */
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
