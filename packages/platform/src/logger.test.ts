import { expect, test } from 'vitest';
import { generateAgentKey } from './agent-key.ts';
import { createLogger } from './logger.ts';

function logged(record: Record<string, unknown>, message: string): string {
  const lines: string[] = [];
  createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } }).info(record, message);
  return lines.join('');
}

test('secrets are struck out by name, also inside nested records', () => {
  const line = logged({ password: 'hunter2', request: { headers: { authorization: 'Bearer abc' } } }, 'sign-in');
  expect(line).toContain('sign-in');
  expect(line).not.toMatch(/hunter2|Bearer abc/);
});

test('agent keys, URL passwords and tokens in links are struck out wherever they stand', () => {
  const { plaintext } = generateAgentKey();
  const line = logged({ error: `key ${plaintext}` }, 'at postgresql://app:s3cret@db/x and /verify?token=abcdef&x=1');
  expect(line).toContain('[redacted]');
  expect(line).not.toMatch(new RegExp(`${plaintext}|s3cret|abcdef`));
});
