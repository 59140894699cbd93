// Common and obvious passwords, over HTTP, everywhere a password is set.
import { newId } from '@penstock/platform';
import { setUpControlPlane } from '@penstock/tenancy/testing';
import { describe, expect, test } from 'vitest';
import { newEmail, PASSWORD, setUpAccounts } from '../testing/accounts.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);

const outcomeOf = async (response: Response): Promise<string> =>
  response.ok ? 'set' : ((await response.json()) as { code: string }).code;

/** A member of an organization with this name. */
async function memberOf(name: string) {
  const { email, browser } = await accounts.signedUp();
  const { organizationId } = await plane.newTenant();
  await plane.database.organization.update({ where: { id: organizationId }, data: { name } });
  const { id: userId } = await plane.database.user.findUniqueOrThrow({ where: { email } });
  await plane.database.member.create({ data: { id: newId(), organizationId, userId, role: 'viewer' } });
  return { email, browser, organizationId };
}

const refused = [
  ['PASSWORD_COMMON', 'Qwertyuiop'],
  ['PASSWORD_OBVIOUS', 'Penstock-2026'],
  ['PASSWORD_OBVIOUS', 'waterworks2026'],
] as const;

describe('is refused', () => {
  test('at sign-up, where an organization invites the address', async () => {
    const { organizationId } = await memberOf('Water Works');
    await plane.database.organization.update({ where: { id: organizationId }, data: { name: 'Waterworks' } });
    const email = newEmail();
    const inviter = await plane.database.user.findFirstOrThrow({ where: { members: { some: { organizationId } } } });
    const expiresAt = new Date(Date.now() + 60_000);
    const invitation = { id: newId(), organizationId, email, role: 'viewer', status: 'pending', expiresAt };
    await plane.database.invitation.create({ data: { ...invitation, inviterId: inviter.id } });
    const browser = accounts.newBrowser();
    await accounts.requestSignUp(browser, email);
    const token = new URL(await accounts.latestLink(email)).hash.slice(1);
    for (const [code, password] of refused) {
      const answer = await browser.post('/sign-up/finish', { token, name: 'Person', password });
      expect(await outcomeOf(answer)).toBe(code);
    }
    expect(await plane.database.user.count({ where: { email } })).toBe(0);
    expect(await outcomeOf(await accounts.finishSignUp(browser, email))).toBe('set');
  });

  test('at a change', async () => {
    const { browser } = await memberOf('Waterworks');
    const change = (newPassword: string) =>
      browser.post('/change-password', { currentPassword: PASSWORD, newPassword });
    for (const [code, password] of refused) {
      expect(await outcomeOf(await change(password))).toBe(code);
    }
    expect(await outcomeOf(await change('another horse battery'))).toBe('set');
  });

  test('at a reset, whose link still works afterwards', async () => {
    const { email } = await memberOf('Waterworks');
    const browser = accounts.newBrowser();
    await browser.post('/request-password-reset', { email });
    const token = new URL(await accounts.latestLink(email)).searchParams.get('token');
    for (const [code, newPassword] of refused) {
      expect(await outcomeOf(await browser.post('/reset-password', { token, newPassword }))).toBe(code);
    }
    expect(await outcomeOf(await browser.post('/reset-password', { token, newPassword: 'another horse' }))).toBe('set');
  });
});
