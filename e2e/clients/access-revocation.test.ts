// A revoked right and a deleted credential take effect on every agent within three seconds, on connections that are open, too.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SASL_AUTHENTICATION_FAILED, TOPIC } from './access/apis.ts';
import { type End, type OpenClient, OpenConsumer, OpenProducer } from './access/open-clients.ts';
import { admin, alice, allowAlice, asAdmin, createTopic, revokeFromAlice } from './access/rights.ts';
import { RawConnection } from './support/raw-connection.ts';
import { signIn } from './support/raw-sign-in.ts';
import { updateSecuritySettings } from './support/security-settings.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { deleteUser, setUsers } from './support/user-credentials.ts';

const PROMISED_MS = 3_000;
const TIMEOUT_MS = 60_000;
const TOPIC_AUTHORIZATION_FAILED = 29;
/** Until the agents know of a change; only for hangs. */
const KNOWN = { timeout: 30_000, interval: 50 };
const LONG_WAIT_MS = 600_000;
const partition = { topic: TOPIC, partition: 0 };
/** Nobody writes to it, so that consumers wait. */
const quietPartition = { topic: TOPIC, partition: 1 };

let system: TestSystem;
let demo: NonNullable<TestSystem['demo']>;
let metadataUrl: string;
let bootstraps: string[];

beforeAll(async () => {
  system = await startTestSystem({ agents: [{}, {}, {}] });
  if (system.demo === undefined || system.metadata[0] === undefined) {
    throw new Error('The system has no demo cluster');
  }
  ({ demo } = system);
  metadataUrl = system.metadata[0].url;
  bootstraps = system.agents.map(({ bootstrap }) => bootstrap);
  await setUsers(metadataUrl, demo, [alice, admin]);
  await updateSecuritySettings(system, {
    aclMode: 'ACL_MODE_ENFORCED',
    superUsers: ['User:admin'],
    authentication: 'AUTHENTICATION_REQUIREMENT_ALWAYS',
  });
  await vi.waitFor(() => asAdmin(firstAgent(), 'scram-sha-256', allowAlice), KNOWN);
  await asAdmin(firstAgent(), 'scram-sha-256', createTopic);
});

afterAll(() => system?.stop());

function firstAgent(): string {
  return bootstraps[0] ?? '';
}

async function enter(bootstrap: string, { user, password }: typeof alice): Promise<RawConnection> {
  const connection = await RawConnection.open(bootstrap, TIMEOUT_MS);
  expect(await signIn(connection, 'SCRAM-SHA-512', user, password)).toBe(0);
  return connection;
}

interface Clients {
  /** Send requests all the time. */
  busy: OpenClient[];
  /** Wait for records that do not come. */
  waiting: OpenClient[];
}

/** A producer and two consumers on each agent, once requests of theirs have succeeded. */
async function startClients(user: typeof alice): Promise<Clients> {
  const clients: Clients = { busy: [], waiting: [] };
  for (const bootstrap of bootstraps) {
    await vi.waitFor(async () => {
      const producer = new OpenProducer(await enter(bootstrap, user), partition);
      const consumer = new OpenConsumer(await enter(bootstrap, user), partition);
      await Promise.race([Promise.all([producer.flows(), consumer.flows()]), refusedTooEarly([producer, consumer])]);
      clients.busy.push(producer, consumer);
    }, KNOWN);
    clients.waiting.push(new OpenConsumer(await enter(bootstrap, user), quietPartition, LONG_WAIT_MS));
  }
  return clients;
}

async function refusedTooEarly(clients: OpenClient[]): Promise<never> {
  const { errorCode, cause } = await Promise.race(clients.map(({ ended }) => ended));
  throw new Error(`Refused with ${errorCode}`, { cause });
}

/** How each client ended, and the longest time that one went on after the change. */
async function endsAfter(change: () => Promise<unknown>, clients: OpenClient[], what: string): Promise<End[]> {
  const changedAtMs = performance.now();
  await change();
  const ends = await Promise.all(clients.map(({ ended }) => ended));
  const longestMs = Math.max(...ends.map(({ atMs }) => atMs - changedAtMs));
  console.log(
    `${what}: ${ends.length} open clients on ${bootstraps.length} agents, the last refused after ${Math.round(longestMs)} ms`,
  );
  expect(longestMs).toBeLessThan(PROMISED_MS);
  return ends;
}

// Other users go on.
test('a revoked ACL is enforced on every agent', async () => {
  const others = await startClients(admin);
  const { busy, waiting } = await startClients(alice);
  const revoke = () => asAdmin(firstAgent(), 'scram-sha-256', revokeFromAlice);
  const ends = await endsAfter(revoke, [...busy, ...waiting], 'revoked ACL');
  expect(new Set(ends.map(({ errorCode }) => errorCode))).toEqual(new Set([TOPIC_AUTHORIZATION_FAILED]));
  await Promise.all(others.busy.map((client) => client.flows()));
  expect((await Promise.all(others.busy.map((client) => client.stop()))).map(({ errorCode }) => errorCode)).toEqual(
    others.busy.map(() => 0),
  );
});

test('a deleted credential closes its connections everywhere', async () => {
  await asAdmin(firstAgent(), 'scram-sha-256', allowAlice);
  const { busy, waiting } = await startClients(alice);
  const ends = await endsAfter(
    () => deleteUser(metadataUrl, demo, alice.user),
    [...busy, ...waiting],
    'deleted credential',
  );
  expect(ends.map(({ cause }) => cause?.message)).toEqual(ends.map(() => 'the connection was closed'));
  for (const bootstrap of bootstraps) {
    const connection = await RawConnection.open(bootstrap, TIMEOUT_MS);
    const { user, password } = alice;
    expect(await signIn(connection, 'SCRAM-SHA-512', user, password)).toBe(SASL_AUTHENTICATION_FAILED);
  }
});
