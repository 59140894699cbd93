// What the service tells traces of: calls, and the journal entries that they share. Undefined where traces are off; what makes
// and exports spans (sdk-traces.ts) is loaded only when they are on.
export interface TraceCounts {
  /** Spans that the collector took. */
  exported: number;
  /** Spans that were given up: the queue was full, or the collector did not take them. */
  dropped: number;
}

export interface CallFacts {
  /** The RPC service's full name. */
  service: string;
  method: string;
  /** The header `traceparent` as it came. */
  traceparent: string | null;
}

export interface Traces {
  readonly counts: TraceCounts;
  /** Runs a call within a span, below the caller's if it sent one. */
  call<Answer>(facts: CallFacts, work: () => Promise<Answer>): Promise<Answer>;
  /**
   * Takes in that the call that runs at the moment added a command to a batch.
   * @param spans what an earlier command of the batch returned
   */
  joinBatch(spans: BatchSpans | undefined): BatchSpans | undefined;
  /** Exports what has ended, for a few seconds at most. */
  stop(): Promise<void>;
}

/** The spans of one journal entry: from its first traced command on until it is durable, and writing it. */
export interface BatchSpans {
  writing(facts: { clusterId: string; seq: number; commands: number; entryBytes: number }): void;
  /** @param cause why it did not become durable */
  end(cause?: unknown): void;
}
