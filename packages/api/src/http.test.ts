// The API as a browser uses it: over HTTP, with superjson, readable errors and server-sent events.
import { createLiveState, type MetadataAdmin } from '@penstock/clusters';
import type { AuthSession } from '@penstock/identity';
import { AppError, createLogger, newId } from '@penstock/platform';
import { createAccessChanges, createNotifications, createOpenStreams, type Notifications } from '@penstock/tenancy';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend } from './backend.ts';
import { handleDashboardCall } from './dashboard-api.ts';
import { emptyView, quietMetadata, setUpInstallation } from './testing/installation.ts';
import { ORGANIZATION_HEADER } from './trpc/dashboard-protocol.ts';

const installation = setUpInstallation();
let owner: AuthSession;

beforeAll(async () => {
  owner = await installation.newPerson({ organizationId: await installation.newOrganization(), role: 'owner' });
});

function backendOf(session: AuthSession | null, changes: Partial<Backend> = {}): Backend {
  return installation.backend({
    auth: {
      handle: async () => new Response(),
      getSession: async () => session,
    },
    ...changes,
  });
}

function send(backend: Backend, path: string, init: RequestInit = {}): Promise<Response> {
  return handleDashboardCall(backend, new Request(`http://localhost:3000/api/trpc/${path}`, init));
}

/** @param organizationId the organization that the page shows */
function mutate(
  backend: Backend,
  path: string,
  input: unknown,
  organizationId = owner.activeOrganizationId,
): Promise<Response> {
  const body = JSON.stringify(superjson.serialize(input));
  const named = organizationId === null ? {} : { [ORGANIZATION_HEADER]: organizationId };
  return send(backend, path, { method: 'POST', headers: { 'content-type': 'application/json', ...named }, body });
}

interface ErrorBody {
  message: string;
  data: { appCode: string; remedy: string | null; field: string | null; code: string; stack?: string };
}

async function errorIn(response: Response): Promise<ErrorBody> {
  const { error } = (await response.json()) as { error: { json: ErrorBody } };
  return error.json;
}

async function newCluster(): Promise<string> {
  const cluster = await installation
    .caller(owner)
    .cluster.create({ name: `c ${Math.random()}`, cloud: 'aws', region: 'x' });
  return cluster.id;
}

describe('bodies', () => {
  test.each([
    ['announced', undefined],
    ['not announced', 'stream'],
  ])('too large and %s is refused before the session is looked up', async (_what, how) => {
    const large = new TextEncoder().encode(JSON.stringify({ json: { token: 'a'.repeat(10_000_000) } }));
    let read = 0;
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(large.subarray(read, read + 65_536));
        read += 65_536;
      },
    });
    const init =
      how === 'stream'
        ? { body: source, duplex: 'half' as const, headers: { 'content-type': 'application/json' } }
        : { body: large, headers: { 'content-type': 'application/json', 'content-length': String(large.length) } };
    let sessions = 0;
    const backend = backendOf(null, {
      auth: {
        handle: async () => new Response(),
        getSession: async () => {
          sessions += 1;
          return null;
        },
      },
    });
    const response = await send(backend, 'invitation.preview', { method: 'POST', ...init });
    expect(response.status).toBe(413);
    expect(await errorIn(response)).toMatchObject({ data: { appCode: 'body_too_large', code: 'PAYLOAD_TOO_LARGE' } });
    expect(sessions).toBe(0);
    expect(read).toBeLessThan(1_000_000);
  });

  // superjson calls itself for each level of the types that it adds to a value.
  const nested = (depth: number) =>
    `{"json":{},"meta":{"values":${'{"a":'.repeat(depth)}["Date"]${'}'.repeat(depth)}}}`;
  test.each([
    ['a change', 'invitation.preview', { method: 'POST', body: nested(10_000) }],
    ['a batch', 'invitation.preview?batch=1', { method: 'POST', body: `{"0":${nested(10_000)}}` }],
    ['a query', `cluster.get?input=${nested(2_500)}`, {}],
    ['the start of a stream', `cluster.get?connectionParams=${nested(2_500)}`, {}],
  ])('%s that nests thousands of arrays is refused', async (_what, path, init) => {
    const response = await send(backendOf(owner), path, { ...init, headers: { 'content-type': 'application/json' } });
    expect(response.status).toBe(400);
    expect(await errorIn(response)).toMatchObject({
      message: 'The input nests more than 64 objects and arrays. Nothing was changed.',
      data: { appCode: 'input_too_deep', code: 'BAD_REQUEST' },
    });
  });

  test('brackets in a text do not count as nesting', async () => {
    const token = `"${'[{'.repeat(500)}`;
    const response = await mutate(backendOf(owner), 'invitation.preview', { token });
    expect(await errorIn(response)).toMatchObject({ data: { appCode: expect.not.stringMatching('input_too_deep') } });
  });
});

describe('errors', () => {
  test('include a status, a stable code, a message and a remedy', async () => {
    const response = await send(backendOf(null), 'cluster.list');
    expect(response.status).toBe(401);
    expect(await errorIn(response)).toMatchObject({
      message: 'You’re not signed in.',
      data: { appCode: 'signed_out', remedy: 'Sign in and try again.', field: null },
    });
  });

  test('bad input names the field and what to enter', async () => {
    const response = await mutate(backendOf(owner), 'cluster.create', { name: '', cloud: 'aws', region: 'x' });
    expect(response.status).toBe(400);
    expect(await errorIn(response)).toMatchObject({
      message: 'Enter a name for the cluster.',
      data: { appCode: 'input_invalid', field: 'name' },
    });
  });

  test('no message of the validation library reaches a user', async () => {
    const input = { clusterId: 'x', name: 7 };
    const { message, data } = await errorIn(await mutate(backendOf(owner), 'cluster.update', input));
    expect([message, data]).toEqual(['This ID is not valid.', expect.objectContaining({ field: 'clusterId' })]);
  });

  test('a conflict names the field, so that a form can show it there', async () => {
    const name = `taken ${Math.random()}`;
    const input = { name, cloud: 'aws', region: 'x' };
    expect((await mutate(backendOf(owner), 'cluster.create', input)).status).toBe(200);
    const response = await mutate(backendOf(owner), 'cluster.create', input);
    expect(response.status).toBe(409);
    expect(await errorIn(response)).toMatchObject({ data: { appCode: 'cluster_name_taken', field: 'name' } });
  });

  test('a defect shows a reference number and no internals', async () => {
    const secret = 'relation "agent_key" at postgresql://app:hunter2@db';
    const metadata: MetadataAdmin = {
      ...quietMetadata,
      getClusterView: () => Promise.reject(new Error(secret)),
    };
    const clusterId = await newCluster();
    const input = encodeURIComponent(JSON.stringify(superjson.serialize({ clusterId })));
    const response = await send(backendOf(owner, { metadata }), `cluster.view?input=${input}`);
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).toMatch(/reference [0-9a-f-]{36}/);
    expect(text).not.toMatch(/agent_key|hunter2|\.ts:/);
  });
});

describe('the live view', () => {
  /** Reads data events, once they are complete. */
  async function* dataEvents(response: Response): AsyncGenerator<string, void, undefined> {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const whole = text.split('\n\n');
      text = whole.pop() ?? '';
      yield* whole.filter((event) => event.includes('data: {"json"'));
    }
  }

  /** Reads `count` events, then disconnects. */
  async function readEvents(response: Response, count: number): Promise<string[]> {
    const events: string[] = [];
    for await (const event of dataEvents(response)) {
      events.push(event);
      if (events.length === count) {
        break;
      }
    }
    return events;
  }

  async function* textOf(response: Response): AsyncGenerator<string, void, undefined> {
    yield* response.body?.pipeThrough(new TextDecoderStream()) ?? [];
  }

  const owners = new Map<string, AuthSession>();
  const ownerOf = (organizationId: string) => installation.caller(owners.get(organizationId) ?? null);

  /** Aborts as a browser's connection does when its page is closed. */
  const pageClosed = new AbortController();
  afterAll(() => pageClosed.abort());

  async function watch(metadata: MetadataAdmin, signal = pageClosed.signal): Promise<Response> {
    const input = encodeURIComponent(JSON.stringify(superjson.serialize({ clusterId: await newCluster() })));
    const init = { headers: { accept: 'text/event-stream' }, signal };
    return send(backendOf(owner, { metadata }), `cluster.watch?input=${input}`, init);
  }

  test('events are whole parts, each with an id for reconnecting', async () => {
    const events = await readEvents(await watch(quietMetadata), 1);
    expect(events[0]).toMatch(/id: none/);
    expect(events[0]).toContain('"state":"live"');
  });

  test('an owner’s outage is reported once on the same connection', async () => {
    let opened = 0;
    const metadata: MetadataAdmin = {
      ...quietMetadata,
      async *watchClusterView(clusterId) {
        opened += 1;
        if (opened === 1) {
          yield { ...emptyView(clusterId), atMs: 1n };
        }
        if (opened < 3) {
          throw new AppError({ kind: 'unavailable', code: 'metadata_unavailable', message: 'It is away.' });
        }
        yield { ...emptyView(clusterId), atMs: 2n };
      },
    };
    const events = await readEvents(await watch(metadata), 3);
    const states = events.map((event) => /"state":"(\w+)"/.exec(event)?.[1]);
    expect(states).toEqual(['live', 'unreachable', 'live']);
    expect(events[2]).toContain('"atMs":2');
  });

  test('disconnecting ends the watch at the metadata service', async () => {
    const ended = Promise.withResolvers<void>();
    const metadata: MetadataAdmin = {
      ...quietMetadata,
      async *watchClusterView(clusterId, signal) {
        signal.addEventListener('abort', () => ended.resolve(), { once: true });
        yield emptyView(clusterId);
        await ended.promise;
      },
    };
    const hangUp = new AbortController();
    const events = dataEvents(await watch(metadata, hangUp.signal));
    await events.next();
    hangUp.abort();
    await ended.promise;
    expect((await events.next()).done).toBe(true);
  });

  test('a session at its stream limit gets a code', async () => {
    const openStreams = createOpenStreams(1);
    const clusterId = await newCluster();
    const input = encodeURIComponent(JSON.stringify(superjson.serialize({ clusterId })));
    const path = `cluster.watch?input=${input}`;
    const init = { headers: { accept: 'text/event-stream' }, signal: pageClosed.signal };
    const first = dataEvents(await send(backendOf(owner, { openStreams }), path, init));
    await first.next();
    const refused = await send(backendOf(owner, { openStreams }), path, init);
    expect(await refused.text()).toContain('"appCode":"streams_too_many"');
  });

  test('a process that shuts down ends its streams', async () => {
    const openStreams = createOpenStreams();
    const input = encodeURIComponent(JSON.stringify(superjson.serialize({ clusterId: await newCluster() })));
    const init = { headers: { accept: 'text/event-stream' }, signal: pageClosed.signal };
    const events = dataEvents(await send(backendOf(owner, { openStreams }), `cluster.watch?input=${input}`, init));
    await events.next();
    openStreams.close();
    expect((await events.next()).done).toBe(true);
  });

  // Not again to a client that returns with its id.
  test('a log event is sent once when recorded', { tags: ['timed'] }, async () => {
    const logger = createLogger({ name: 'test', level: 'silent' });
    const notifications = createNotifications(installation.databaseUrl, logger);
    const { database } = installation;
    const live = createLiveState({ metadata: quietMetadata, database, notifications, logger }, { lingerMs: 0 });
    const clusterId = await newCluster();
    const cluster = await database.virtualCluster.findUniqueOrThrow({ where: { id: clusterId } });
    const record = async (text: string): Promise<void> => {
      const of = { id: newId(), clusterId, organizationId: cluster.organizationId };
      const event = {
        type: 'io.penstock.agent.joined',
        subject: null,
        severity: 'info',
        text,
        data: {},
        at: new Date(),
      };
      await database.clusterEvent.create({ data: { ...of, ...event } });
    };
    const parts = [{ kind: 'health' }, { kind: 'events' }];
    const input = encodeURIComponent(JSON.stringify(superjson.serialize({ clusterId, parts })));
    const open = async (headers: Record<string, string>): Promise<AsyncGenerator<string>> =>
      dataEvents(
        await send(backendOf(owner, { live }), `cluster.watch?input=${input}`, {
          headers: { accept: 'text/event-stream', ...headers },
          signal: pageClosed.signal,
        }),
      );
    const next = async (events: AsyncGenerator<string>, wanted: string): Promise<string> => {
      for (;;) {
        const { value, done } = await events.next();
        if (done === true) {
          throw new Error('the stream ended');
        }
        if (value.includes(wanted)) {
          return value;
        }
      }
    };
    try {
      const first = await open({});
      await next(first, '"kind":"events"');
      await record('the first');
      const recordedAt = performance.now();
      const told = await next(first, 'the first');
      expect(performance.now() - recordedAt).toBeLessThan(1_000);
      const id = /id: (\S+)/.exec(told)?.[1] ?? '';
      const again = await open({ 'last-event-id': id });
      await next(again, '"kind":"health"');
      await record('the second');
      // The next log event that it receives is the second one: the first was not sent again.
      expect(await next(again, '"kind":"events"')).toContain('the second');
    } finally {
      await notifications.close();
    }
  });

  describe('ends within a second', { tags: ['timed'] }, () => {
    let notifications: Notifications;
    beforeAll(() => {
      notifications = createNotifications(installation.databaseUrl, createLogger({ name: 'test', level: 'silent' }));
    });
    afterAll(() => notifications.close());

    /** A metadata service that never sends anything, so that the stream cannot end for another reason. */
    const silentMetadata: MetadataAdmin = {
      ...quietMetadata,
      async *watchClusterView(clusterId, signal) {
        yield emptyView(clusterId);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      },
    };

    test.each<[string, string, (reader: AuthSession, organizationId: string) => Promise<unknown>]>([
      [
        'of sign-out',
        'signed_out',
        (reader) => installation.database.session.delete({ where: { id: reader.sessionId } }),
      ],
      [
        'of removal',
        'membership_ended',
        (reader, organizationId) => ownerOf(organizationId).member.remove({ userId: reader.user.id }),
      ],
    ])('%s', async (_what, appCode, change) => {
      const organizationId = await installation.newOrganization();
      owners.set(organizationId, await installation.newPerson({ organizationId, role: 'owner' }));
      const reader = await installation.newPerson({ organizationId, role: 'viewer' });
      const cluster = await ownerOf(organizationId).cluster.create({ name: 'c', cloud: 'aws', region: 'x' });
      const input = encodeURIComponent(JSON.stringify(superjson.serialize({ clusterId: cluster.id })));
      const response = await send(
        backendOf(reader, { metadata: silentMetadata, accessChanges: createAccessChanges(notifications) }),
        `cluster.watch?input=${input}`,
        { headers: { accept: 'text/event-stream' } },
      );
      const chunks = textOf(response);
      let seen = '';
      while (!seen.includes('"state":"live"')) {
        seen += (await chunks.next()).value ?? '';
      }
      await change(reader, organizationId);
      const changedAt = performance.now();
      for await (const chunk of chunks) {
        seen += chunk;
      }
      expect(performance.now() - changedAt).toBeLessThan(1_000);
      expect(seen).toContain(`"appCode":"${appCode}"`);
    });
  });
});
