import { describe, expect, test } from 'vitest';
import { generateAgentKey, parseAgentKey } from './agent-key.ts';

/** Replaces one character with another one of the alphabet. */
function withTypo(text: string, index: number): string {
  return text.slice(0, index) + (text[index] === 'a' ? 'b' : 'a') + text.slice(index + 1);
}

describe('agent keys', () => {
  test('a generated key parses to the same hash and display', () => {
    const key = generateAgentKey();
    expect(key.plaintext).toMatch(/^psk_agent_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
    expect(parseAgentKey(key.plaintext)).toEqual({ ok: true, hash: key.hash, display: key.display });
    expect(key.hash).toHaveLength(32);
  });

  test('two keys never share a hash', () => {
    expect(generateAgentKey().hash).not.toEqual(generateAgentKey().hash);
  });

  test('tells any typo in a key from an unknown key', () => {
    const { plaintext } = generateAgentKey();
    const positions = [...plaintext].flatMap((character, index) => (index >= 10 && character !== '_' ? [index] : []));
    expect(positions).toHaveLength(38);
    for (const index of positions) {
      expect(parseAgentKey(withTypo(plaintext, index))).toMatchObject({ ok: false, reason: 'checksum' });
    }
  });

  test.each([
    '',
    'psk_agent_',
    'sk_live_123',
    `${generateAgentKey().plaintext} `,
    generateAgentKey().plaintext.slice(1),
  ])('text that is not a key is called malformed: %j', (text) => {
    expect(parseAgentKey(text)).toMatchObject({ ok: false, reason: 'malformed' });
  });

  test('no refusal contains the key', () => {
    const { plaintext } = generateAgentKey();
    const refusal = parseAgentKey(withTypo(plaintext, 20));
    expect(JSON.stringify(refusal)).not.toContain(plaintext.slice(10, 20));
  });

  test('the display reveals only eight of the random characters', () => {
    const { plaintext, display } = generateAgentKey();
    expect(display.prefix).toBe(plaintext.slice(0, 14));
    expect(display.last4).toBe(plaintext.slice(38, 42));
  });
});
