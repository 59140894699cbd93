import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { deriveVerifier, generatePassword } from './derive-verifier';

test('a verifier passes the exchange in RFC 7677, section 3', async () => {
  const salt = new Uint8Array(Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'));
  const { storedKey, serverKey } = await deriveVerifier('SCRAM-SHA-256', 'pencil', salt, 4_096);
  const nonce = 'rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0';
  const messages = `n=user,r=rOprNGfwEbeRWgbNEkqO,r=${nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r=${nonce}`;
  const sign = (key: string) => createHmac('sha256', Buffer.from(key, 'base64')).update(messages).digest();
  expect(sign(serverKey).toString('base64')).toBe('6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=');
  const proof = Buffer.from('dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=', 'base64');
  const signature = sign(storedKey);
  const clientKey = proof.map((byte, at) => byte ^ (signature[at] ?? 0));
  expect(createHash('sha256').update(clientKey).digest('base64')).toBe(storedKey);
});

test('SCRAM-SHA-512 keys have 64 bytes and fresh salts', async () => {
  const first = await deriveVerifier('SCRAM-SHA-512', 'pencil');
  const second = await deriveVerifier('SCRAM-SHA-512', 'pencil');
  expect(Buffer.from(first.storedKey, 'base64')).toHaveLength(64);
  expect(Buffer.from(first.serverKey, 'base64')).toHaveLength(64);
  expect(first.salt).not.toBe(second.salt);
});

test('generated passwords need no quoting, and are never the same', () => {
  const password = generatePassword();
  expect(password).toMatch(/^[\w-]{32}$/);
  expect(password).not.toBe(generatePassword());
});
