import { expect, test } from 'vitest';
import { cellsVariable, cellUrls } from './cells.ts';
import { parseEnv } from './env.ts';

function read(text: string | undefined) {
  return parseEnv({ PENSTOCK_CELLS: cellsVariable }, { PENSTOCK_CELLS: text }).PENSTOCK_CELLS;
}

test('without the setting the control database is the only cell', () => {
  expect([...cellUrls('postgresql://control/db', read(undefined))]).toEqual([['main', 'postgresql://control/db']]);
});

test('names map to databases, with main as the control database', () => {
  const cells = read('{"eu-1":"postgresql://cell/db"}');
  expect(Object.fromEntries(cellUrls('postgresql://control/db', cells))).toEqual({
    main: 'postgresql://control/db',
    'eu-1': 'postgresql://cell/db',
  });
});

test.each([
  ['{', 'JSON'],
  ['["postgresql://x/y"]', 'PENSTOCK_CELLS'],
  ['{"main":"postgresql://x/y"}', 'DATABASE_URL'],
  ['{"EU 1":"postgresql://x/y"}', 'lowercase'],
  ['{"eu-1":"mysql://secret@x/y"}', 'postgresql://'],
])('%s is refused without showing a connection string', (text, reason) => {
  const refusal = () => read(text);
  expect(refusal).toThrow(reason);
  expect(refusal).not.toThrow('secret');
});
