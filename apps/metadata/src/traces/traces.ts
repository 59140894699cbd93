// The tracing interface of the service: calls, and the journal entries that they share. Undefined when tracing is disabled; the module that
// creates and exports spans (sdk-traces.ts) is loaded only when it is enabled.
export interface TraceCounts {
  /** Spans that the collector accepted. */
  exported: number;
  /** Spans that were dropped: the queue was full, or the collector did not accept them. */
  dropped: number;
}

export interface CallFacts {
  /** The RPC service's full name. */
  service: string;
  method: string;
  /** The received `traceparent` header. */
  traceparent: string | null;
}

export interface Traces {
  readonly counts: TraceCounts;
  /** Runs a call within a span, a child of the caller's span if it sent one. */
  call<Answer>(facts: CallFacts, work: () => Promise<Answer>): Promise<Answer>;
  /**
   * Records that the current call added a command to a batch.
   * @param spans the result for an earlier command of the batch
   */
  joinBatch(spans: BatchSpans | undefined): BatchSpans | undefined;
  /** Exports ended spans, for a few seconds at most. */
  stop(): Promise<void>;
}

/** The spans of one journal entry: from its first traced command until it is durable, and the write itself. */
export interface BatchSpans {
  writing(facts: { clusterId: string; seq: number; commands: number; entryBytes: number }): void;
  /** @param cause why it did not become durable */
  end(cause?: unknown): void;
}
