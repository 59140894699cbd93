import { expect, test } from 'vitest';
import { differenceOf, linesOf, OTHER_ORDER } from './compare.ts';
import { judge } from './known-differences.ts';
import type { ToolCase } from './tool-case.ts';

const names = { bootstrap: '127.0.0.1:9092', clusterId: 'the-cluster', folder: '/tmp/x' };
const list: ToolCase = { tool: 'kafka-topics', args: ['--list'] };

test('compares everything except what differs in each run', () => {
  const lines = (out: string, toolCase = list) => linesOf({ exit: '0', out, err: '' }, toolCase, names);
  expect(lines('Topic: a\tTopicId: 4wXgO0vCQyGdcRCWh1hOwg  at 127.0.0.1:9092\n')).toEqual([
    'out: Topic: a TopicId: <topic-id> at <host>:<port>',
    'exit: 0',
  ]);
  expect(lines('b\na\n', { ...list, isUnordered: true })).toEqual(['out: a', 'out: b', 'exit: 0']);
});

// Also when they are there more often.
test('finds lines that only one system printed', () => {
  expect(differenceOf(['a', 'b'], ['a', 'b'])).toBeUndefined();
  expect(differenceOf(['a', 'a'], ['a', 'c'])).toEqual({ kafka: ['a'], penstock: ['c'] });
  expect(differenceOf(['a', 'b'], ['b', 'a'])).toEqual({ kafka: [], penstock: [OTHER_ORDER] });
});

test('a difference is listed only if all its lines are', () => {
  const known = [{ reason: 'it is so', cases: /^kafka-topics/, kafka: [/^out: a$/], penstock: [/^out: b$/] }];
  const name = 'kafka-topics --list';
  expect(judge(name, { kafka: ['out: a'], penstock: ['out: b'] }, known)).toEqual({
    reasons: new Set(known),
    unlisted: [],
  });
  expect(judge(name, { kafka: ['out: a'], penstock: ['out: c'] }, known).unlisted).toEqual(['Penstock only: out: c']);
  expect(judge('kafka-acls --list', { kafka: ['out: a'], penstock: [] }, known).unlisted).toEqual([
    'Kafka only: out: a',
  ]);
});
