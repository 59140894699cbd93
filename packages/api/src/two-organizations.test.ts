// One person in two organizations, over HTTP as two tabs of one browser: one session, and each request names its own
// organization.
import type { AuthSession } from '@penstock/identity';
import { newId } from '@penstock/platform';
import superjson from 'superjson';
import { beforeEach, expect, test } from 'vitest';
import { handleDashboardCall } from './dashboard-api.ts';
import { setUpInstallation } from './testing/installation.ts';
import { ORGANIZATION_HEADER } from './trpc/dashboard-protocol.ts';

const installation = setUpInstallation();
let first: string;
let second: string;
let session: AuthSession;

beforeEach(async () => {
  [first, second] = [await installation.newOrganization(), await installation.newOrganization()];
  session = await installation.newPerson({ organizationId: first, role: 'owner' });
  await join(second);
});

async function join(organizationId: string): Promise<void> {
  const member = { id: newId(), userId: session.user.id, organizationId, role: 'owner' };
  await installation.database.member.create({ data: member });
}

async function leave(organizationId: string): Promise<void> {
  await installation.database.member.deleteMany({ where: { organizationId, userId: session.user.id } });
}

interface Answer {
  status: number;
  code: string | undefined;
  data: unknown;
}

/** A page of the dashboard that shows an organization; null for one that was loaded before pages named theirs. */
function tab(organizationId: string | null) {
  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    // Each request reads the session as it is stored.
    const { activeOrganizationId } = await installation.database.session.findUniqueOrThrow({
      where: { id: session.sessionId },
    });
    const backend = installation.backend({
      auth: {
        handle: async () => new Response(),
        getSession: async () => ({ ...session, activeOrganizationId }),
      },
    });
    const named = organizationId === null ? {} : { [ORGANIZATION_HEADER]: organizationId };
    const request = new Request(`http://localhost:3000/api/trpc/${path}`, {
      ...init,
      headers: { ...init.headers, ...named },
    });
    const response = await handleDashboardCall(backend, request);
    const body = (await response.json()) as {
      result?: { data: { json: unknown } };
      error?: { json: { data: { appCode: string } } };
    };
    return { status: response.status, code: body.error?.json.data.appCode, data: body.result?.data.json };
  };
  return {
    query: (path: string) => call(path, { method: 'GET' }),
    mutate: (path: string, input: unknown) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(superjson.serialize(input)),
      }),
  };
}

const newCluster = () => ({ name: `c-${newId()}`, cloud: 'aws', region: 'eu-central-1' });
const clustersOf = (organizationId: string) =>
  installation.database.virtualCluster.count({ where: { organizationId } });

test('two tabs with two organizations each act on their own', async () => {
  const [one, two] = [tab(first), tab(second)];
  expect((await two.mutate('organization.setActive', { organizationId: second })).status).toBe(200);
  expect((await one.mutate('cluster.create', newCluster())).status).toBe(200);
  expect((await two.mutate('cluster.create', newCluster())).status).toBe(200);
  expect([await clustersOf(first), await clustersOf(second)]).toEqual([1, 1]);
  expect((await one.query('session.get')).data).toMatchObject({ organization: { organizationId: first } });
  expect((await two.query('session.get')).data).toMatchObject({ organization: { organizationId: second } });
});

// Nothing happens in another organization.
test('refuses the page of a membership that has ended', async () => {
  const page = tab(first);
  expect((await page.query('cluster.list')).status).toBe(200);
  await leave(first);
  expect(await page.mutate('cluster.create', newCluster())).toMatchObject({ status: 403, code: 'membership_ended' });
  expect(await page.query('cluster.list')).toMatchObject({ status: 403, code: 'membership_ended' });
  expect(await clustersOf(second)).toBe(0);
  expect((await page.query('session.get')).data).toMatchObject({ organization: null });
});

test('refuses a change that names no organization', async () => {
  const page = tab(null);
  await page.mutate('organization.setActive', { organizationId: second });
  expect(await page.mutate('cluster.create', newCluster())).toMatchObject({ code: 'organization_unnamed' });
  expect([await clustersOf(first), await clustersOf(second)]).toEqual([0, 0]);
  expect((await page.query('session.get')).data).toMatchObject({ organization: { organizationId: second } });
});

test('refuses foreign organizations like ended memberships', async () => {
  const foreign = await installation.newOrganization();
  expect(await tab(foreign).mutate('cluster.create', newCluster())).toMatchObject({ code: 'membership_ended' });
  expect(await tab('nonsense').query('cluster.list')).toMatchObject({ code: 'membership_ended' });
});
