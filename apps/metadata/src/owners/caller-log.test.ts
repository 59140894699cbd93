import { expect, test } from 'vitest';
import { CallerLog } from './caller-log.ts';

function recorded() {
  const lines: [object, string][] = [];
  const clock = { nowMs: 0 };
  const log = new CallerLog(
    (facts, message) => lines.push([facts, message]),
    () => clock.nowMs,
  );
  return { log, lines, clock };
}

test('a flood of calls logs twenty lines a minute and a total', () => {
  const { log, lines, clock } = recorded();
  for (let call = 0; call < 1_000; call += 1) {
    log.write({ call }, 'asked');
  }
  expect(lines).toHaveLength(20);
  clock.nowMs += 60_000;
  log.write({ call: 1_000 }, 'asked');
  expect(lines.slice(20)).toEqual([
    [{ lines: 980 }, 'left out lines about what agents and clients asked for'],
    [{ call: 1_000 }, 'asked'],
  ]);
});

test('truncates long text', () => {
  const { log, lines } = recorded();
  log.write({ id: 'x'.repeat(100_000) }, 'asked');
  expect(lines).toEqual([[{ id: 'x'.repeat(300) }, 'asked']]);
});
