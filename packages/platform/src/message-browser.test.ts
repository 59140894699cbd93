import { createPublicKey, sign, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { messageBrowserOrigin, messageBrowserPublicKey, messageBrowserSigningKey } from './message-browser.ts';

const SECRET = 'a secret of more than thirty-two characters';

describe('the key pair', () => {
  test('is stable per cluster and secret, and distinct', () => {
    const key = (secret: string, clusterId: string) =>
      Buffer.from(messageBrowserPublicKey(secret, clusterId)).toString('hex');
    expect(key(SECRET, 'a')).toBe(key(SECRET, 'a'));
    expect(key(SECRET, 'a')).toHaveLength(64);
    expect(new Set([key(SECRET, 'a'), key(SECRET, 'b'), key(`${SECRET}.`, 'a')]).size).toBe(3);
  });

  test('verifies with one key what the other signed', () => {
    const signed = sign(null, Buffer.from('claims'), messageBrowserSigningKey(SECRET, 'a'));
    const x = Buffer.from(messageBrowserPublicKey(SECRET, 'a')).toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(verify(null, Buffer.from('claims'), publicKey, signed)).toBe(true);
    expect(verify(null, Buffer.from('Claims'), publicKey, signed)).toBe(false);
  });
});

describe('an advertised address', () => {
  test.each([
    ['http://127.0.0.1:9465', 'http://127.0.0.1:9465'],
    ['https://Records.Example.com/', 'https://records.example.com'],
    ['https://records.example.com:443', 'https://records.example.com'],
  ])('%s is the origin %s', (text, origin) => {
    expect(messageBrowserOrigin(text)).toBe(origin);
  });

  test.each([
    '',
    '*',
    'https://*.example.com',
    'https://records.example.com/path',
    'https://user:password@records.example.com',
    'https://records.example.com?x=1',
    "http://x;script-src'unsafe-inline'",
    'http://x; script-src *',
    'javascript:alert(1)',
    'ftp://records.example.com',
    `https://${'a'.repeat(300)}.example.com`,
  ])('%j is no origin and never reaches a content policy', (text) => {
    expect(messageBrowserOrigin(text)).toBeNull();
  });
});
