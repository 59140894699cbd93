import { expect, test } from 'vitest';
import { generateAgentKey } from './agent-key.ts';
import { generateApiKey, parseApiKey } from './api-key.ts';

test('a generated API key parses to the same hash and display', () => {
  const key = generateApiKey();
  expect(key.plaintext).toMatch(/^psk_api_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
  expect(parseApiKey(key.plaintext)).toEqual({ ok: true, hash: key.hash, display: key.display });
});

test('refuses an agent key as an API key and reveals neither', () => {
  const { plaintext } = generateAgentKey();
  const refusal = parseApiKey(plaintext);
  expect(refusal).toMatchObject({ ok: false, reason: 'malformed' });
  expect(JSON.stringify(refusal)).not.toContain(plaintext.slice(10, 20));
});

test('the checksum detects a typo', () => {
  const { plaintext } = generateApiKey();
  const typo = plaintext.slice(0, 12) + (plaintext[12] === 'a' ? 'b' : 'a') + plaintext.slice(13);
  expect(parseApiKey(typo)).toMatchObject({ ok: false, reason: 'checksum' });
});
