import { expect, test } from 'vitest';
import { parseEnv } from './env.ts';
import { type RootSecrets, rootSecrets, rootSecretVariables } from './root-secrets.ts';
import { createSecretBox } from './secret-box.ts';

const OLD = { id: 1, secret: 'the old root secret, of 32 characters' };
const NEW = { id: 2, secret: 'the new root secret, of 32 characters' };
const PLACE = { column: 'billing_account.webhook_secret', row: 'acme' };
const unreadable = expect.objectContaining({ code: 'sealed_secret_unreadable' });

const box = (...secrets: RootSecrets) => createSecretBox(secrets);

test('a sealed secret names its root secret and opens again', () => {
  const sealed = box(OLD).seal(PLACE, 'whsec_ü');
  expect(sealed).toMatch(/^sealed:1:1:[A-Za-z0-9_-]+$/);
  expect(Buffer.from(sealed.split(':')[3] ?? '', 'base64url').toString()).not.toContain('whsec');
  expect(box(OLD).open(PLACE, sealed)).toBe('whsec_ü');
  expect(box(OLD).seal(PLACE, 'whsec_ü')).not.toBe(sealed);
});

test('the first root secret seals, and any of them opens', () => {
  const sealedBefore = box(OLD).seal(PLACE, 'secret');
  const both = box(NEW, OLD);
  expect(both.open(PLACE, sealedBefore)).toBe('secret');
  expect(both.isCurrent(sealedBefore)).toBe(false);
  const sealedAfter = both.seal(PLACE, 'secret');
  expect(both.isCurrent(sealedAfter)).toBe(true);
  expect(box(NEW).open(PLACE, sealedAfter)).toBe('secret');
});

test('a text without its root secret fails with the missing id', () => {
  const sealed = box(OLD).seal(PLACE, 'secret');
  expect(() => box(NEW).open(PLACE, sealed)).toThrow(/root secret 1, which is not configured/);
  expect(() => box({ id: 1, secret: NEW.secret }).open(PLACE, sealed)).toThrow(unreadable);
});

test.each([
  ['another row', { ...PLACE, row: 'other' }],
  ['another column', { ...PLACE, column: 'sso_connection.client_secret' }],
])('a text that was copied to %s is unreadable', (_where, place) => {
  const sealed = box(OLD).seal(PLACE, 'secret');
  expect(() => box(OLD).open(place, sealed)).toThrow(unreadable);
});

test('a changed text is unreadable, whatever was changed', () => {
  const same = { ...NEW, secret: OLD.secret };
  const sealed = box(OLD).seal(PLACE, 'secret');
  const body = sealed.slice('sealed:1:1:'.length);
  const flipped = `${body.startsWith('A') ? 'B' : 'A'}${body.slice(1)}`;
  for (const text of [
    `sealed:1:1:${flipped}`,
    `sealed:1:1:${body.slice(0, -2)}`,
    'sealed:1:1:AAAA',
    // The id is authenticated, too.
    `sealed:1:2:${body}`,
    `sealed:2:1:${body}`,
    'secret',
    '',
  ]) {
    expect(() => box(OLD, same).open(PLACE, text), text).toThrow(unreadable);
  }
});

const read = (environment: Record<string, string>) => rootSecrets(parseEnv(rootSecretVariables, environment));
const [a, b] = ['a'.repeat(32), `b:${'b'.repeat(32)}`];

// If there is a list, it comes last.
test('an installation’s single secret is root secret 0', () => {
  expect(read({ PENSTOCK_AUTH_SECRET: a })).toEqual([{ id: 0, secret: a }]);
  expect(read({ PENSTOCK_AUTH_SECRET: a, PENSTOCK_SECRETS: `7:${b}` })).toEqual([
    { id: 7, secret: b },
    { id: 0, secret: a },
  ]);
});

test('a list keeps its order', () => {
  expect(read({ PENSTOCK_SECRETS: `2:${a}, 1:${b}` }).map(({ id }) => id)).toEqual([2, 1]);
});

test.each([
  {},
  { PENSTOCK_AUTH_SECRET: 'short' },
  { PENSTOCK_SECRETS: a },
  { PENSTOCK_SECRETS: '1:short' },
  { PENSTOCK_SECRETS: `0:${a}` },
  { PENSTOCK_SECRETS: `x:${a}` },
  { PENSTOCK_SECRETS: `1:${a},1:${b}` },
  { PENSTOCK_SECRETS: `1:${a},` },
])('%o is refused without repeating a secret', (environment) => {
  let message = '';
  try {
    read(environment);
  } catch (error) {
    message = error instanceof Error ? error.message : '';
  }
  expect(message).toContain('PENSTOCK_');
  expect(message).not.toContain(a);
});
