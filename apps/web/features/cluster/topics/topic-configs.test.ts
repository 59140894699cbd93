import { topicConfigs } from '@penstock/clusters/inputs';
import { expect, test } from 'vitest';
import { configMeaning, editableConfigs } from './topic-configs';

test.each([
  ['retention.ms', '3600000', 'Now: 1 h.'],
  ['retention.ms', '', 'Default: 7 d.'],
  ['retention.ms', '-1', 'Now: records are kept regardless of age.'],
  ['retention.bytes', '', 'Default: records are kept regardless of size.'],
  ['retention.bytes', '1073741824', 'Now: 1.00 GiB.'],
  ['max.message.bytes', '-1', 'Larger batches are rejected.'],
  ['retention.ms', 'soon', 'Older records are deleted.'],
  ['retention.ms', '-5', 'Older records are deleted.'],
])('%s of “%s” is shown as: %s', (name, typed, ending) => {
  const config = editableConfigs.find((candidate) => candidate.name === name);
  expect(config === undefined ? '' : configMeaning(config, typed)).toMatch(
    new RegExp(`${ending.replaceAll('.', '\\.')}$`),
  );
});

test('every editable config is accepted by the server, and its default is valid', () => {
  const defaults = Object.fromEntries(editableConfigs.map(({ name, defaultValue }) => [name, defaultValue]));
  expect(topicConfigs.parse(defaults)).toEqual(defaults);
});
