// Kafka's own command-line tools work unchanged: topics, settings, groups, offsets, deletion of records, performance tests.
import { expect, inject, test } from 'vitest';
import { clients } from './support/clients.ts';
import { createTopic, kafkaTool } from './support/java-tools.ts';
import { makeValues, valuesFile } from './support/records.ts';

const bootstrap = inject('bootstrap');
const server = ['--bootstrap-server', bootstrap];

/** Produces numbered values with kcat, which starts faster than the console producer. */
async function fill(topic: string, count: number): Promise<void> {
  await clients[0]?.produce(bootstrap, topic, makeValues(count), 'none');
}

function sumOfOffsets(output: string): number {
  return [...output.matchAll(/:(\d+)$/gm)].reduce((sum, match) => sum + Number(match[1]), 0);
}

test('kafka-topics creates, lists, describes, grows and deletes a topic', async () => {
  await createTopic(bootstrap, 'tools-topics', 3);
  expect((await kafkaTool('kafka-topics', [...server, '--list'])).split('\n')).toContain('tools-topics');
  const described = await kafkaTool('kafka-topics', [...server, '--describe', '--topic', 'tools-topics']);
  expect(described).toMatch(/PartitionCount: 3/);
  expect(described.match(/Partition: \d+/g)).toHaveLength(3);

  await kafkaTool('kafka-topics', [...server, '--alter', '--topic', 'tools-topics', '--partitions', '5']);
  const grown = await kafkaTool('kafka-topics', [...server, '--describe', '--topic', 'tools-topics']);
  expect(grown).toMatch(/PartitionCount: 5/);

  await kafkaTool('kafka-topics', [...server, '--delete', '--topic', 'tools-topics']);
  expect((await kafkaTool('kafka-topics', [...server, '--list'])).split('\n')).not.toContain('tools-topics');
});

test('creating a topic twice fails with an error that names the topic', async () => {
  await createTopic(bootstrap, 'tools-twice', 1);
  await expect(createTopic(bootstrap, 'tools-twice', 1)).rejects.toThrow(/tools-twice.*already exists/);
});

test('a topic name that Kafka forbids is refused', async () => {
  await expect(createTopic(bootstrap, 'not/a/topic', 1)).rejects.toThrow(
    /(invalid topic name|topic name is invalid).*not\/a\/topic/i,
  );
});

test('kafka-configs sets and shows the retention of a topic', async () => {
  await createTopic(bootstrap, 'tools-configs', 1);
  const entity = [...server, '--entity-type', 'topics', '--entity-name', 'tools-configs'];
  await kafkaTool('kafka-configs', [...entity, '--alter', '--add-config', 'retention.ms=3600000']);
  expect(await kafkaTool('kafka-configs', [...entity, '--describe'])).toMatch(/retention\.ms=3600000/);
  await kafkaTool('kafka-configs', [...entity, '--alter', '--delete-config', 'retention.ms']);
  expect(await kafkaTool('kafka-configs', [...entity, '--describe'])).not.toMatch(/retention\.ms=3600000/);
});

test('a config with a value out of range is refused and changes nothing', async () => {
  await createTopic(bootstrap, 'tools-bad-config', 1);
  const entity = [...server, '--entity-type', 'topics', '--entity-name', 'tools-bad-config'];
  await expect(kafkaTool('kafka-configs', [...entity, '--alter', '--add-config', 'retention.ms=soon'])).rejects.toThrow(
    /retention\.ms/,
  );
  expect(await kafkaTool('kafka-configs', [...entity, '--describe'])).not.toMatch(/retention\.ms=soon/);
});

test('kafka-consumer-groups lists, describes, resets and deletes a group', async () => {
  await createTopic(bootstrap, 'tools-groups', 2);
  await fill('tools-groups', 100);
  await kafkaTool('kafka-console-consumer', [
    ...server,
    ...['--topic', 'tools-groups', '--from-beginning', '--max-messages', '100', '--group', 'tools-group'],
    ...['--timeout-ms', '30000'],
  ]);
  expect((await kafkaTool('kafka-consumer-groups', [...server, '--list'])).split('\n')).toContain('tools-group');

  const group = [...server, '--group', 'tools-group'];
  const described = await kafkaTool('kafka-consumer-groups', [...group, '--describe']);
  const lags = [...described.matchAll(/^tools-group\s+tools-groups\s+\d+\s+(\d+)\s+(\d+)\s+(\d+)/gm)];
  expect(lags.reduce((sum, match) => sum + Number(match[2]), 0)).toBe(100);
  expect(lags.map((match) => match[3])).toEqual(['0', '0']);

  const reset = ['--reset-offsets', '--to-earliest', '--topic', 'tools-groups', '--execute'];
  await kafkaTool('kafka-consumer-groups', [...group, ...reset]);
  const afterReset = await kafkaTool('kafka-consumer-groups', [...group, '--describe']);
  const resetLags = [...afterReset.matchAll(/^tools-group\s+tools-groups\s+\d+\s+(\d+)\s+(\d+)\s+(\d+)/gm)];
  expect(resetLags.reduce((sum, match) => sum + Number(match[3]), 0)).toBe(100);

  await kafkaTool('kafka-consumer-groups', [...group, '--delete']);
  expect((await kafkaTool('kafka-consumer-groups', [...server, '--list'])).split('\n')).not.toContain('tools-group');
});

test('kafka-get-offsets and kafka-delete-records agree on the start and end of a topic', async () => {
  await createTopic(bootstrap, 'tools-offsets', 1);
  await fill('tools-offsets', 50);
  const offsets = (time: string): Promise<string> =>
    kafkaTool('kafka-get-offsets', [...server, '--topic', 'tools-offsets', '--time', time]);
  expect(sumOfOffsets(await offsets('latest'))).toBe(50);
  expect(sumOfOffsets(await offsets('earliest'))).toBe(0);

  const wanted = { partitions: [{ topic: 'tools-offsets', partition: 0, offset: 20 }], version: 1 };
  const file = await valuesFile([JSON.stringify(wanted)]);
  await kafkaTool('kafka-delete-records', [...server, '--offset-json-file', file.path]);
  await file.remove();
  expect(sumOfOffsets(await offsets('earliest'))).toBe(20);
  const first = await clients[0]?.consume(bootstrap, 'tools-offsets', 1);
  expect(first?.[0]?.offset).toBe(20);
});

test('the tools of operators find a healthy cluster with nothing to do', async () => {
  await createTopic(bootstrap, 'tools-operators', 2);
  await fill('tools-operators', 20);
  const topic = ['--topic-list', 'tools-operators'];
  const [logDirs, quorum, election, reassignments] = await Promise.all([
    kafkaTool('kafka-log-dirs', [...server, '--describe', ...topic]),
    kafkaTool('kafka-metadata-quorum', [...server, 'describe', '--status']),
    kafkaTool('kafka-leader-election', [
      ...server,
      ...['--election-type', 'preferred', '--topic', 'tools-operators', '--partition', '0'],
    ]),
    kafkaTool('kafka-reassign-partitions', [...server, '--list']),
  ]);
  const sizes = [...logDirs.matchAll(/"partition":"tools-operators-\d","size":(\d+)/g)].map((match) =>
    Number(match[1]),
  );
  expect(sizes).toHaveLength(2);
  expect(Math.max(...sizes)).toBeGreaterThan(0);
  expect(quorum).toMatch(/LeaderId:\s+\d+/);
  expect(election).toMatch(/Valid replica already elected/);
  expect(reassignments).toMatch(/No partition reassignments found/);
});

test('the performance tools complete', async () => {
  await createTopic(bootstrap, 'tools-perf', 6);
  const produced = await kafkaTool('kafka-producer-perf-test', [
    ...['--topic', 'tools-perf', '--num-records', '5000', '--record-size', '1024', '--throughput', '-1'],
    ...['--bootstrap-server', bootstrap],
  ]);
  expect(produced).toMatch(/5000 records sent/);
  const consumed = await kafkaTool('kafka-consumer-perf-test', [
    ...server,
    ...['--topic', 'tools-perf', '--num-records', '5000', '--timeout', '60000'],
  ]);
  expect(consumed).toMatch(/, 5000, /);
});
