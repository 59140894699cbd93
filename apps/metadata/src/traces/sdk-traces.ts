// Tracing with OpenTelemetry's SDK. Loaded only when tracing is enabled. Node's asynchronous context carries the span of a call, so the
// code between the call and the journal need not pass it on.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Code, ConnectError } from '@connectrpc/connect';
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '@penstock/platform';
import { SpanQueue } from './span-queue.ts';
import type { TraceSettings } from './trace-settings.ts';
import { parseTraceparent } from './traceparent.ts';
import type { BatchSpans, CallFacts, TraceCounts, Traces } from './traces.ts';

const DEFAULT_SERVICE_NAME = 'penstock-metadata';
/** How long the export of the last spans may take. */
const STOP_TIMEOUT_MS = 2_000;

export interface SdkTracesOptions {
  settings: TraceSettings;
  logger: Logger;
  /** Identifies this process among others of the same service. */
  instanceId: string;
  /** Default: OTLP over HTTP, to the endpoint in the settings. */
  exporter?: SpanExporter;
}

export function startSdkTraces({ settings, logger, instanceId, exporter }: SdkTracesOptions): Traces {
  const { url, headers, timeoutMs, queueSpans, batchSpans, delayMs } = settings;
  const queue = new SpanQueue({
    exporter: exporter ?? new OTLPTraceExporter({ url, headers, timeoutMillis: timeoutMs }),
    logger,
    queueSpans,
    batchSpans,
    delayMs,
  });
  const resource = defaultResource().merge(
    resourceFromAttributes({
      'service.name': DEFAULT_SERVICE_NAME,
      'service.instance.id': instanceId,
      ...settings.resourceAttributes,
      ...(settings.serviceName === undefined ? {} : { 'service.name': settings.serviceName }),
    }),
  );
  const provider = new TracerProvider({ sampler: samplerOf(settings), resource, spanProcessors: [queue] });
  logger.info({ collector: url }, 'traces enabled');
  return new SdkTraces(provider.getTracer('penstock'), queue);
}

function samplerOf({ sampler, share }: TraceSettings): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(share);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) });
  }
}

class SdkTraces implements Traces {
  readonly #tracer: Tracer;
  readonly #queue: SpanQueue;
  readonly #current = new AsyncLocalStorage<Span>();

  constructor(tracer: Tracer, queue: SpanQueue) {
    this.#tracer = tracer;
    this.#queue = queue;
  }

  get counts(): TraceCounts {
    return this.#queue.counts;
  }

  async call<Answer>({ service, method, traceparent }: CallFacts, work: () => Promise<Answer>): Promise<Answer> {
    const caller = parseTraceparent(traceparent);
    const parent = caller === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, caller);
    const attributes = { 'rpc.system.name': 'connectrpc', 'rpc.service': service, 'rpc.method': method };
    const span = this.#tracer.startSpan(`${service}/${method}`, { kind: SpanKind.SERVER, attributes }, parent);
    try {
      return await this.#current.run(span, work);
    } catch (error) {
      fail(span, error instanceof ConnectError ? snakeCase(Code[error.code]) : 'internal');
      throw error;
    } finally {
      span.end();
    }
  }

  joinBatch(spans: BatchSpans | undefined): BatchSpans | undefined {
    const call = this.#current.getStore();
    if (call?.isRecording() !== true) {
      return spans;
    }
    if (!(spans instanceof SdkBatchSpans)) {
      return new SdkBatchSpans(this.#tracer, call);
    }
    spans.link(call);
    return spans;
  }

  async stop(): Promise<void> {
    const { promise: timedOut, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, STOP_TIMEOUT_MS);
    await Promise.race([this.#queue.shutdown(), timedOut]);
    clearTimeout(timer);
  }
}

class SdkBatchSpans implements BatchSpans {
  readonly #tracer: Tracer;
  readonly #batch: Span;
  #write: Span | undefined;

  constructor(tracer: Tracer, firstCall: Span) {
    this.#tracer = tracer;
    this.#batch = tracer.startSpan('journal commit', {}, trace.setSpan(ROOT_CONTEXT, firstCall));
  }

  /** A batch belongs to many calls but can be the child of only one, so it and the other calls link to each other. */
  link(call: Span): void {
    this.#batch.addLink({ context: call.spanContext() });
    call.addLink({ context: this.#batch.spanContext() });
  }

  writing({ clusterId, seq, commands, entryBytes }: Parameters<BatchSpans['writing']>[0]): void {
    this.#batch.setAttributes({
      'penstock.cluster.id': clusterId,
      'penstock.journal.seq': seq,
      'penstock.journal.commands': commands,
      'penstock.journal.bytes': entryBytes,
    });
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': 'INSERT',
      'db.collection.name': 'metadata_journal',
    };
    this.#write = this.#tracer.startSpan(
      'INSERT metadata_journal',
      { kind: SpanKind.CLIENT, attributes },
      trace.setSpan(ROOT_CONTEXT, this.#batch),
    );
  }

  end(cause?: unknown): void {
    for (const span of [this.#write, this.#batch]) {
      if (cause !== undefined && span !== undefined) {
        fail(span, cause instanceof Error ? cause.name : 'unknown');
      }
      span?.end();
    }
  }
}

/** @param errorType one of a few words: error messages may contain confidential data */
function fail(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType);
  span.setStatus({ code: SpanStatusCode.ERROR, message: errorType });
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
