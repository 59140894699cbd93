import { newId } from '@penstock/platform';
import { refusalOf, setUpControlPlane } from '@penstock/tenancy/testing';
import { expect, test } from 'vitest';
import { confirmIdentity, FRESH_SIGN_IN_MS } from './confirm-identity.ts';
import { hashPassword } from './passwords.ts';
import { createThrottle } from './throttle.ts';

const plane = setUpControlPlane();
const RIGHT = 'the right password';

/** A user who signed in that long ago, with a password. */
async function signedIn(ageMs: number) {
  const { id: userId } = await plane.newUser();
  const now = new Date();
  const session = { id: newId(), token: newId(), userId, createdAt: new Date(now.getTime() - ageMs) };
  await plane.database.session.create({ data: { ...session, expiresAt: new Date(now.getTime() + 3_600_000) } });
  await plane.database.account.create({
    data: { id: newId(), accountId: userId, providerId: 'credential', userId, password: await hashPassword(RIGHT) },
  });
  const throttle = createThrottle(plane.database, 'a secret of at least thirty-two characters');
  const address = '198.51.100.7';
  return (password: string | null, sessionId = session.id) =>
    confirmIdentity(plane.database, throttle, { sessionId, userId, password, address }, now);
}

test('a recent sign-in is enough; an old one also needs the password', async () => {
  await (await signedIn(FRESH_SIGN_IN_MS - 1_000))(null);
  const old = await signedIn(FRESH_SIGN_IN_MS + 1_000);
  expect(await refusalOf(old(null))).toBe('reauthentication_required');
  expect(await refusalOf(old(''))).toBe('reauthentication_required');
  expect(await refusalOf(old('wrong'))).toBe('password_wrong');
  await old(RIGHT);
});

test('an ended session proves nothing, even with the password', async () => {
  const confirm = await signedIn(0);
  expect(await refusalOf(confirm(RIGHT, newId()))).toBe('reauthentication_required');
});

test('password guesses are limited as at sign-in, concurrent ones too', async () => {
  const old = await signedIn(FRESH_SIGN_IN_MS + 1_000);
  const codes = await Promise.all(Array.from({ length: 14 }, () => refusalOf(old('wrong'))));
  expect(codes.filter((code) => code === 'password_wrong')).toHaveLength(10);
  expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(4);
  expect(await refusalOf(old(RIGHT))).toBe('too_many_attempts');
});
