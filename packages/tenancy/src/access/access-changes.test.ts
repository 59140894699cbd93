import { once } from 'node:events';
import { createLogger, newId } from '@penstock/platform';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createNotifications, type Notifications } from '../notifications/notifications.ts';
import { setUpControlPlane } from '../testing/control-plane.ts';
import { type AccessChanges, createAccessChanges } from './access-changes.ts';

const plane = setUpControlPlane();
let notifications: Notifications;
let changes: AccessChanges;

beforeEach(() => {
  notifications = createNotifications(plane.databaseUrl, createLogger({ name: 'test', level: 'silent' }));
  changes = createAccessChanges(notifications);
});
afterEach(() => notifications.close());

/** Watches a user. Skips the initial call, which comes once the connection is established. */
async function watched(userId: string) {
  const calls = new EventTarget();
  const stop = changes.watch(userId, () => calls.dispatchEvent(new Event('change')));
  await once(calls, 'change');
  return { next: () => once(calls, 'change'), stop };
}

async function newSession(userId: string): Promise<string> {
  const id = newId();
  await plane.database.session.create({
    data: { id, token: newId(), userId, expiresAt: new Date(Date.now() + 60_000) },
  });
  return id;
}

// Ending a session, changing a role, demanding a second factor, from any code.
test('any change to a user’s access notifies them', async () => {
  const tenant = await plane.newTenant();
  const member = await plane.newMember(tenant, 'viewer');
  const sessionId = await newSession(member.userId);
  await plane.database.user.update({ where: { id: member.userId }, data: { twoFactorEnabled: true } });
  const watch = await watched(member.userId);
  for (const statement of [
    plane.database.$executeRaw`DELETE FROM session WHERE id = ${sessionId}`,
    plane.database.$executeRaw`UPDATE member SET role = 'billing' WHERE user_id = ${member.userId}`,
    plane.database.$executeRaw`UPDATE organization SET requires_two_factor = true WHERE id = ${tenant.organizationId}`,
    plane.database.$executeRaw`UPDATE "user" SET two_factor_enabled = false WHERE id = ${member.userId}`,
    plane.database.$executeRaw`DELETE FROM member WHERE user_id = ${member.userId}`,
  ]) {
    const told = watch.next();
    await statement;
    await told;
  }
});

test('changes to other users send no notification', async () => {
  const [user, other] = [await plane.newUser(), await plane.newUser()];
  let calls = 0;
  const watch = await watched(user.id);
  changes.watch(user.id, () => {
    calls += 1;
  });
  await plane.database.session.delete({ where: { id: await newSession(other.id) } });
  // Notifications arrive in order: if the other one had been sent, it would have arrived before this one.
  const told = watch.next();
  await plane.database.session.delete({ where: { id: await newSession(user.id) } });
  await told;
  expect(calls).toBe(1);
});

// A notification may have been lost.
test('every watcher checks again after a reconnect', async () => {
  const user = await plane.newUser();
  const watch = await watched(user.id);
  const told = watch.next();
  await plane.database.$executeRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN "penstock_access_changed"'`;
  await told;
  const sessionId = await newSession(user.id);
  const toldAgain = watch.next();
  await plane.database.session.delete({ where: { id: sessionId } });
  await toldAgain;
});
