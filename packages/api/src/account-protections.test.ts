// The protections of accounts as a browser and a program meet them: with a real cookie and a real API key, over HTTP.
import { createHmac } from 'node:crypto';
import { auditApiKeyUse, createAuth } from '@penstock/identity';
import { DAY_MS } from '@penstock/units';
import { expect, test } from 'vitest';
import { handleDashboardCall } from './dashboard-api.ts';
import { fetchRest } from './testing/fetch-rest.ts';
import { setUpInstallation } from './testing/installation.ts';

const installation = setUpInstallation();
const SECRET = 'a-secret-of-the-tests-alone-0123456789';

test('a limit that an owner shortens ends a viewer’s session', async () => {
  const organizationId = await installation.newOrganization();
  const owner = await installation.newPerson({ organizationId, role: 'owner' });
  const viewer = await installation.newPerson({ organizationId, role: 'viewer' });
  const { token } = await installation.database.session.update({
    where: { id: viewer.sessionId },
    data: { createdAt: new Date(Date.now() - 7 * DAY_MS) },
    select: { token: true },
  });
  const signature = createHmac('sha256', SECRET).update(token).digest('base64');
  const cookie = `penstock.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
  const backend = installation.backend();
  const { accounts: database, webUrl, trustedProxies, logger, secretBox, outbound } = backend;
  const secrets = [{ id: 0, secret: SECRET }] as const;
  const auth = createAuth({
    database,
    webUrl,
    secrets,
    trustedProxies,
    logger,
    secretBox,
    outbound,
    signUpIterations: 1,
  });
  const status = async () =>
    (
      await handleDashboardCall(
        { ...backend, auth },
        new Request(`${webUrl}/api/trpc/account.sessions`, { headers: { cookie } }),
      )
    ).status;
  const limit = (days: number) => installation.caller(owner, backend).organization.setSessionLifetime({ days });

  await limit(8);
  expect(await status()).toBe(200);
  await limit(7);
  expect(await status()).toBe(401);
});

test('REST calls from a new network are audited and mailed', async () => {
  const organizationId = await installation.newOrganization();
  const owner = await installation.newPerson({ organizationId, role: 'owner' });
  const input = { name: 'deployments', role: 'viewer', isReadOnly: true, lifetimeDays: null } as const;
  const { apiKey, plaintext } = await installation.caller(owner).apiKey.create(input);
  const backend = installation.backend({ trustedProxies: ['198.18.0.0/15'] });
  const callFrom = (address: string) =>
    fetchRest(
      backend,
      new Request('http://localhost:3000/api/v1/organization', {
        headers: { authorization: `Bearer ${plaintext}`, 'x-forwarded-for': `233.252.0.9, ${address}, 198.18.0.1` },
      }),
    );
  for (const address of ['192.0.2.7', '192.0.2.99', '203.0.113.5']) {
    expect((await callFrom(address)).status).toBe(200);
    await auditApiKeyUse(installation.database, backend.webUrl, new Date());
  }
  const rows = await installation.database.auditLog.findMany({
    where: { organizationId, action: 'api-key.new-network' },
  });
  expect(rows).toMatchObject([{ targetId: apiKey.id, after: { address: '203.0.113.5', network: '203.0.113.0/24' } }]);
  expect(await installation.database.mail.findMany({ where: { toAddress: owner.user.email } })).toMatchObject([
    { subject: 'API key used from a new network (deployments)' },
  ]);
});
