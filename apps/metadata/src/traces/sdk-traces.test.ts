import { Code, ConnectError } from '@connectrpc/connect';
import { SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { readTraceSettings } from '../settings.ts';
import { silentLogger } from '../testing/cluster-fixture.ts';
import { startSdkTraces } from './sdk-traces.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_ID = 'b7ad6b7169203331';
const commitFile = { service: 'penstock.metadata.v1.MetadataService', method: 'CommitFile' };

/** Traces exported to memory; `ended` is what was exported so far. */
function inMemory(variables: Record<string, string> = {}) {
  const settings = readTraceSettings({ PENSTOCK_TRACES: '1', ...variables });
  if (settings === undefined) {
    throw new Error('traces are off');
  }
  const exporter = new InMemorySpanExporter();
  exporter.shutdown = () => Promise.resolve();
  const traces = startSdkTraces({ settings, logger: silentLogger, instanceId: 'one', exporter });
  return {
    traces,
    ended: async () => {
      await traces.stop();
      return exporter.getFinishedSpans();
    },
  };
}

function named(spans: ReadableSpan[], name: string): ReadableSpan {
  const span = spans.find((candidate) => candidate.name === name);
  if (span === undefined) {
    throw new Error(`no span ${name} among ${spans.map((other) => other.name).join(', ')}`);
  }
  return span;
}

test('the journal’s span descends from the call and its caller', async () => {
  const { traces, ended } = inMemory();
  await traces.call({ ...commitFile, traceparent: `00-${TRACE_ID}-${CALLER_ID}-01` }, async () => {
    await Promise.resolve();
    const spans = traces.joinBatch(undefined);
    spans?.writing({ clusterId: 'c', seq: 7, commands: 1, entryBytes: 100 });
    spans?.end();
  });
  const spans = await ended();
  const call = named(spans, 'penstock.metadata.v1.MetadataService/CommitFile');
  const batch = named(spans, 'journal commit');
  const write = named(spans, 'INSERT metadata_journal');
  expect(call.parentSpanContext?.spanId).toBe(CALLER_ID);
  expect(batch.parentSpanContext?.spanId).toBe(call.spanContext().spanId);
  expect(write.parentSpanContext?.spanId).toBe(batch.spanContext().spanId);
  expect(spans.map((span) => span.spanContext().traceId)).toEqual([TRACE_ID, TRACE_ID, TRACE_ID]);
  expect(batch.attributes).toMatchObject({ 'penstock.cluster.id': 'c', 'penstock.journal.seq': 7 });
});

test('calls that share an entry and its span link to each other', async () => {
  const { traces, ended } = inMemory();
  let spans = undefined as ReturnType<typeof traces.joinBatch>;
  await Promise.all(
    ['First', 'Second'].map((method) =>
      traces.call({ ...commitFile, method, traceparent: null }, async () => {
        spans = traces.joinBatch(spans);
      }),
    ),
  );
  spans?.end(new TypeError('secret text'));
  const exported = await ended();
  const [batch, second] = [named(exported, 'journal commit'), named(exported, `${commitFile.service}/Second`)];
  expect(batch.links[0]?.context.spanId).toBe(second.spanContext().spanId);
  expect(second.links[0]?.context.spanId).toBe(batch.spanContext().spanId);
  expect(batch.status).toEqual({ code: SpanStatusCode.ERROR, message: 'TypeError' });
});

test('a refused call records its code, never the text of the error', async () => {
  const { traces, ended } = inMemory();
  const refused = traces.call({ ...commitFile, traceparent: null }, () =>
    Promise.reject(new ConnectError('secret text', Code.PermissionDenied)),
  );
  await expect(refused).rejects.toThrow('secret text');
  const [call] = await ended();
  expect(call?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'permission_denied' });
  expect(JSON.stringify([call?.attributes, call?.events])).not.toContain('secret');
});

test('a call that its caller did not sample records no spans', async () => {
  const { traces, ended } = inMemory();
  await traces.call({ ...commitFile, traceparent: `00-${TRACE_ID}-${CALLER_ID}-00` }, async () => {
    expect(traces.joinBatch(undefined)).toBeUndefined();
  });
  expect(await ended()).toEqual([]);
});

test('untraced calls start no trace when only callers may', async () => {
  const { traces, ended } = inMemory({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' });
  await traces.call({ ...commitFile, traceparent: null }, async () => undefined);
  expect(await ended()).toEqual([]);
});
