import { type ReadableSpan, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { silentLogger } from '../testing/cluster-fixture.ts';
import { SpanQueue } from './span-queue.ts';

/** A collector that accepts spans, refuses them, or does not answer. */
function setUp(answer: 'takes' | 'refuses' | 'silent') {
  const batches: number[] = [];
  const exporter: SpanExporter = {
    export: (spans: ReadableSpan[], done) => {
      batches.push(spans.length);
      if (answer !== 'silent') {
        done({ code: answer === 'takes' ? 0 : 1 });
      }
    },
    shutdown: () => Promise.resolve(),
  };
  const queue = new SpanQueue({ exporter, logger: silentLogger, queueSpans: 5, batchSpans: 2, delayMs: 60_000 });
  const tracer = new TracerProvider({ spanProcessors: [queue] }).getTracer('test');
  const end = (count: number) => {
    for (let index = 0; index < count; index += 1) {
      tracer.startSpan('call').end();
    }
  };
  return { batches, queue, end };
}

test('sends full batches and the remaining spans on stop', async () => {
  const { batches, queue, end } = setUp('takes');
  end(5);
  await queue.shutdown();
  expect(batches).toEqual([2, 2, 1]);
  expect(queue.counts).toEqual({ exported: 5, dropped: 0 });
});

test('an unresponsive collector costs only spans, never time', () => {
  const { queue, end } = setUp('silent');
  end(10);
  // Two are in flight, five wait.
  expect(queue.counts).toEqual({ exported: 0, dropped: 3 });
});

test('spans that the collector refuses are dropped and counted', async () => {
  const { queue, end } = setUp('refuses');
  end(3);
  await queue.forceFlush();
  expect(queue.counts).toEqual({ exported: 0, dropped: 3 });
});
