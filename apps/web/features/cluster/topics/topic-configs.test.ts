import { topicConfigs, topicConfigTable } from '@penstock/clusters/inputs';
import { expect, test } from 'vitest';
import { configMeaning, editableConfigs, meaningText, readableValue } from './topic-configs';

test.each([
  ['retention.ms', '3600000', 'Now: 1 h.'],
  ['retention.ms', '', 'Default: 7 d.'],
  ['retention.ms', '-1', 'Now: No limit.'],
  ['retention.bytes', '', 'Default: No limit.'],
  ['retention.bytes', '1073741824', 'Now: 1.00 GiB.'],
  ['max.message.bytes', '-1', 'after compression.'],
  ['retention.ms', 'soon', 'for ever.'],
  ['retention.ms', '-5', 'for ever.'],
])('%s of “%s” is shown as: %s', (name, typed, ending) => {
  const config = editableConfigs.find((candidate) => candidate.name === name);
  expect(config === undefined ? '' : configMeaning(config, typed)).toMatch(
    new RegExp(`${ending.replaceAll('.', '\\.')}$`),
  );
});

test('every default is accepted by the server', () => {
  expect(editableConfigs).toHaveLength(3);
  const defaults = Object.fromEntries(topicConfigTable.map((config) => [config.name, config.default]));
  expect(topicConfigs.parse(defaults)).toEqual(defaults);
});

test('every config says what it does, or why it does nothing', () => {
  for (const config of topicConfigTable) {
    expect(config.hasEffect, config.name).toBe(!config.meaning.startsWith('Has no effect'));
    expect(meaningText(config), config.name).toMatch(/^[A-Z'].{20,}\.$/);
  }
});

test.each([
  ['max.compaction.lag.ms', '9223372036854775807', 'No limit.'],
  ['delete.retention.ms', '86400000', '1 d.'],
  ['segment.bytes', '1073741824', '1.00 GiB.'],
  ['min.insync.replicas', '1', null],
  ['cleanup.policy', 'delete', null],
])('%s=%s is read as %s', (name, value, text) => {
  const config = topicConfigTable.find((candidate) => candidate.name === name);
  expect(config && readableValue(config, value)).toBe(text);
});
