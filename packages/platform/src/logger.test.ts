import { expect, test } from 'vitest';
import { generateAgentKey } from './agent-key.ts';
import { createLogger } from './logger.ts';

function logged(record: Record<string, unknown>, message: string): string {
  const lines: string[] = [];
  createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } }).info(record, message);
  return lines.join('');
}

test('secrets are redacted by name, also inside nested records', () => {
  const line = logged({ password: 'hunter2', request: { headers: { authorization: 'Bearer abc' } } }, 'sign-in');
  expect(line).toContain('sign-in');
  expect(line).not.toMatch(/hunter2|Bearer abc/);
});

test('redacts agent keys, URL passwords and tokens anywhere', () => {
  const { plaintext } = generateAgentKey();
  const line = logged({ error: `key ${plaintext}` }, 'at postgresql://app:s3cret@db/x and /verify?token=abcdef&x=1');
  expect(line).toContain('[redacted]');
  expect(line).not.toMatch(new RegExp(`${plaintext}|s3cret|abcdef`));
});

test('redacts Stripe’s keys and webhook secrets anywhere', () => {
  const line = logged(
    { error: 'Invalid API Key provided: sk_live_51Habc' },
    'signed with whsec_Zm9vYmFy, used rk_test_1x2y',
  );
  expect(line).toContain('sk_live_[redacted]');
  expect(line).not.toMatch(/51Habc|Zm9vYmFy|1x2y/);
});
