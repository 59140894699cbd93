// Sends ended spans to the collector: a bounded queue that no call ever waits for, one message at a time.

import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Logger } from '@penstock/platform';
import type { TraceCounts } from './traces.ts';

export interface SpanQueueOptions {
  exporter: SpanExporter;
  logger: Logger;
  /** The most spans that may wait. */
  queueSpans: number;
  /** The most spans in one message. */
  batchSpans: number;
  /** How long a span waits for others. */
  delayMs: number;
}

/** The value of `ExportResultCode.SUCCESS` in @opentelemetry/core. */
const SUCCESS = 0;

export class SpanQueue implements SpanProcessor {
  readonly counts: TraceCounts = { exported: 0, dropped: 0 };
  readonly #options: SpanQueueOptions;
  #waiting: ReadableSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #saidFull = false;
  #saidFailing = false;

  constructor(options: SpanQueueOptions) {
    this.#options = options;
  }

  onStart(): void {
    // A span is queued only when it ends.
  }

  onEnd(span: ReadableSpan): void {
    const { queueSpans, batchSpans, delayMs } = this.#options;
    if (this.#waiting.length >= queueSpans) {
      this.#queueFull();
      return;
    }
    this.#waiting.push(span);
    if (this.#sending !== undefined) {
      return;
    }
    if (this.#waiting.length >= batchSpans) {
      void this.forceFlush();
    } else {
      this.#timer ??= setTimeout(() => void this.forceFlush(), delayMs).unref();
    }
  }

  /** Sends until the queue is empty. */
  async forceFlush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    await this.#sending;
  }

  async shutdown(): Promise<void> {
    await this.forceFlush();
    await this.#options.exporter.shutdown();
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#options.batchSpans);
      const error = await this.#send(batch);
      if (error === undefined) {
        this.#taken(batch.length);
      } else {
        this.#refused(batch.length, error);
      }
    }
  }

  /** Resolves with the error if the export failed. */
  #send(batch: ReadableSpan[]): Promise<Error | undefined> {
    return new Promise((resolve) => {
      try {
        this.#options.exporter.export(batch, ({ code, error }) => {
          resolve(code === SUCCESS ? undefined : (error ?? new Error('no reason given')));
        });
      } catch (error) {
        resolve(error instanceof Error ? error : new Error('the exporter failed'));
      }
    });
  }

  #queueFull(): void {
    this.counts.dropped += 1;
    if (this.#saidFull) {
      return;
    }
    this.#saidFull = true;
    this.#options.logger.warn(
      'more traces than the collector takes: spans are dropped, and counted in penstock_metadata_trace_spans_dropped_total. ' +
        'Sample a smaller share (OTEL_TRACES_SAMPLER_ARG). This is said once',
    );
  }

  #taken(spans: number): void {
    this.counts.exported += spans;
    if (!this.#saidFailing) {
      return;
    }
    this.#saidFailing = false;
    this.#options.logger.info('the collector accepts traces again');
  }

  #refused(spans: number, { message }: Error): void {
    this.counts.dropped += spans;
    if (this.#saidFailing) {
      return;
    }
    this.#saidFailing = true;
    this.#options.logger.warn(
      { message },
      'the collector does not accept traces: spans are dropped until it does. This is logged once',
    );
  }
}
