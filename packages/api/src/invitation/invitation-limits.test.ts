// What one mailbox receives and one person sends, whatever the number of organizations.
import { newId } from '@penstock/platform';
import { TRPCError } from '@trpc/server';
import { expect, test } from 'vitest';
import { setUpInstallation } from '../testing/installation.ts';

const installation = setUpInstallation();

function codeOf(error: unknown): string {
  const cause = error instanceof TRPCError ? error.cause : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(error);
}

async function newOwner() {
  const organizationId = await installation.newOrganization();
  return installation.caller(await installation.newPerson({ organizationId, role: 'owner' }));
}

test('an address gets at most five invitations a day in total', async () => {
  const email = `target-${newId()}@example.com`;
  const owners = await Promise.all(Array.from({ length: 8 }, newOwner));
  const outcomes = await Promise.allSettled(owners.map((api) => api.invitation.create({ email, role: 'viewer' })));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [codeOf(outcome.reason)] : []));
  expect(refused).toEqual(['recipient_limit', 'recipient_limit', 'recipient_limit']);
  expect(await installation.database.mail.count({ where: { toAddress: email } })).toBe(5);
});

test('an organization’s name has no address in it', async () => {
  const api = installation.caller(await installation.newPerson());
  for (const name of ['Overdue: pay at http://evil.example/pay now', 'evil.com', 'Acme\u202egnp.exe']) {
    await expect(api.organization.create({ name }), name).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
});
