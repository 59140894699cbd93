// The limits on a page's calls, over HTTP.
import { beforeAll, expect, test } from 'vitest';
import { handleDashboardCall } from '../dashboard-api.ts';
import { setUpInstallation } from '../testing/installation.ts';
import type { ApiContext } from './context.ts';
import { MAX_BATCH_CALLS } from './dashboard-protocol.ts';
import { CALLS_PER_MINUTE, countCall, UNAUTHENTICATED_CALLS_PER_MINUTE } from './limit-calls.ts';

const installation = setUpInstallation();
let organizationId: string;

beforeAll(async () => {
  organizationId = await installation.newOrganization();
});

/** A browser of a member, or without an account. */
async function newBrowser(isSignedIn: boolean) {
  const session = isSignedIn ? await installation.newPerson({ organizationId, role: 'viewer' }) : null;
  const backend = installation.backend({
    auth: {
      handle: async () => new Response(),
      getSession: async () => session,
    },
  });
  const send = async (calls: number): Promise<Response> => {
    const paths = Array(calls).fill('session.get').join(',');
    return handleDashboardCall(backend, new Request(`http://localhost:3000/api/trpc/${paths}?batch=1&input={}`));
  };
  const contextFrom = (address: string): ApiContext => ({
    backend,
    session,
    organizationId,
    api: null,
    now: new Date('2026-11-23T10:00:00Z'),
    address,
  });
  return { send, contextFrom };
}

/** The status of each call of a batch. */
async function statusesIn(response: Response): Promise<number[]> {
  const answers = (await response.json()) as readonly { error?: { json: { data: { httpStatus: number } } } }[];
  return answers.map(({ error }) => error?.json.data.httpStatus ?? 200);
}

test('refuses a request with more calls than a page ever sends', async () => {
  const { send } = await newBrowser(true);
  expect(new Set(await statusesIn(await send(MAX_BATCH_CALLS)))).toEqual(new Set([200]));
  expect((await send(MAX_BATCH_CALLS + 1)).status).toBe(400);
});

test('limits an anonymous address per minute, even in batches', async () => {
  const { send } = await newBrowser(false);
  const statuses: number[] = [];
  for (let sent = 0; sent <= UNAUTHENTICATED_CALLS_PER_MINUTE; sent += MAX_BATCH_CALLS) {
    statuses.push(...(await statusesIn(await send(MAX_BATCH_CALLS))));
  }
  const refused = statuses.filter((status) => status === 429);
  expect(refused).toHaveLength(statuses.length - UNAUTHENTICATED_CALLS_PER_MINUTE);
  expect(statuses.at(-1)).toBe(429);
});

test('limits an account over all its tabs without affecting others', async () => {
  const [busy, other] = [await newBrowser(true), await newBrowser(true)];
  for (let call = 0; call < CALLS_PER_MINUTE; call += 1) {
    await countCall(busy.contextFrom(`198.51.100.${call % 250}`));
  }
  await expect(countCall(busy.contextFrom('203.0.113.1'))).rejects.toThrow(/Too many requests/);
  await countCall(other.contextFrom('203.0.113.1'));
});
