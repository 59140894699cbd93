// Traces from a client's request through the agent into the metadata service, as a collector receives them.
import { readFile } from 'node:fs/promises';
import { freePort } from '@penstock/servers/free-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CollectedSpan, type OtlpCollector, startOtlpCollector } from './support/otlp-collector.ts';
import { run, until } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

const KEY = 'canary-key-5c1f';
const VALUE = 'canary-value-9b02';
const PASSWORD = 'collectors-password';
const RPC = 'penstock.metadata.v1.MetadataService';

let collector: OtlpCollector;
let system: TestSystem;

beforeAll(async () => {
  collector = await startOtlpCollector();
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
  system = await startTestSystem({
    metadataEnv: { ...tracing, PENSTOCK_TRACES: 'true' },
    // Has an endpoint, but tracing is off.
    agents: [{ env: tracing }],
  });
});
afterAll(async () => {
  await system.stop();
  await collector.close();
});

async function produce(bootstrap: string | undefined, topic: string): Promise<void> {
  await run('kcat', ['-P', '-b', bootstrap ?? '', '-t', topic, '-K', '='], { input: `${KEY}=${VALUE}\n` });
}

/** The span of this name, once it has arrived. */
async function span(name: string, isWanted: (span: CollectedSpan) => boolean = () => true): Promise<CollectedSpan> {
  const find = () => collector.spans.find((candidate) => candidate.name === name && isWanted(candidate));
  await until(`the collector has the span ${name}`, () => find() !== undefined);
  const found = find();
  if (found === undefined) {
    throw new Error(`no span ${name}`);
  }
  return found;
}

/** The span of this name that is a direct child of another one. */
function below(parent: CollectedSpan, name: string): Promise<CollectedSpan> {
  return span(name, ({ traceId, parentSpanId }) => traceId === parent.traceId && parentSpanId === parent.spanId);
}

test('an agent with tracing off sends no spans or context', async () => {
  await produce(system.agents[0]?.bootstrap, 'written-untraced');
  // The metadata service traces by itself: with a trace context, its span would have a parent.
  const commit = await span(`${RPC}/CommitFile`);
  expect([commit.service, commit.parentSpanId]).toEqual(['penstock-metadata', '']);
  expect(collector.spans.filter(({ service }) => service === 'penstock-agent')).toEqual([]);
  // Clients may be sent to any agent of their zone: the agents of the tests below run alone.
  await system.agents[0]?.process.stop();
});

// It contains no records or secrets.
test('one trace runs from a client’s request into the journal', async () => {
  const agent = await system.startAgent({
    env: {
      PENSTOCK_TRACES: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `api-key=${PASSWORD}`,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '1.0',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  });
  await produce(agent.bootstrap, 'written-traced');
  const request = await span('produce written-traced');
  const flush = await below(request, 'flush');
  await below(flush, 'wait in buffer');
  await below(flush, 'PUT data file');
  const call = await below(flush, `${RPC}/CommitFile`);
  const served = await below(call, `${RPC}/CommitFile`);
  const journal = await below(served, 'journal commit');
  await below(journal, 'INSERT metadata_journal');
  expect([request, flush, call, served, journal].map(({ service }) => service)).toEqual([
    'penstock-agent',
    'penstock-agent',
    'penstock-agent',
    'penstock-metadata',
    'penstock-metadata',
  ]);
  expect(request.parentSpanId).toBe('');
  expect(request.attributes).toMatchObject({
    'messaging.system': 'kafka',
    'messaging.operation.name': 'produce',
    'messaging.destination.name': 'written-traced',
  });

  // Written by the other agent, so this one must look up its location and get it from the bucket.
  const read = await run('kcat', [
    '-C',
    '-b',
    agent.bootstrap,
    '-t',
    'written-untraced',
    '-o',
    'beginning',
    '-e',
    '-q',
  ]);
  expect(read).toBe(`${VALUE}\n`);
  const get = await span('GET data file');
  const reading = await span('read records', ({ spanId }) => spanId === get.parentSpanId);
  await span('fetch written-untraced', ({ spanId }) => spanId === reading.parentSpanId);
  const located = await span(`${RPC}/Locate`, ({ service }) => service === 'penstock-agent');
  await span('fetch written-untraced', ({ spanId }) => spanId === located.parentSpanId);
  await below(located, `${RPC}/Locate`);

  // Its last spans are sent when it stops.
  await agent.process.stop();
  const everything = Buffer.concat(collector.bodies).toString('latin1');
  for (const secret of [
    KEY,
    VALUE,
    PASSWORD,
    system.demo?.agentKey ?? '',
    system.adminKeys[0].secret,
    system.browseKeys[0].secret,
  ]) {
    expect(secret).not.toBe('');
    expect(everything).not.toContain(secret);
  }
  expect(collector.headers.some((headers) => headers['api-key'] === PASSWORD)).toBe(true);
  expect(system.deaths).toEqual([]);
});

test('an unreachable collector costs only counted spans', async () => {
  const agent = await system.startAgent({
    env: {
      PENSTOCK_TRACES: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  });
  await produce(agent.bootstrap, 'written-without-collector');
  await until('the spans are given up', async () => {
    const text = await (await fetch(`${agent.httpUrl}/metrics`)).text();
    return Number(/^penstock_agent_trace_spans_dropped_total (\d+)/m.exec(text)?.[1]) > 0;
  });
  await produce(agent.bootstrap, 'written-without-collector');
  await agent.process.stop();
  const log = await readFile(agent.process.plan.logFile, 'utf8');
  expect(log.match(/the collector does not accept traces/g)).toHaveLength(1);
  expect(system.deaths).toEqual([]);
});
