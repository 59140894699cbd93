// Pages of lists on a real PostgreSQL: what they read, and what they do when their list changes.
import { addToLists, createFakeMetadata, removeFromLists } from '@penstock/clusters/testing/fake-metadata';
import { generateApiKey, newId } from '@penstock/platform';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Backend } from '../backend.ts';
import { fetchRest } from '../testing/fetch-rest.ts';
import { setUpInstallation } from '../testing/installation.ts';

const installation = setUpInstallation();
const START = Date.UTC(2026, 0, 1);
let organizationId: string;
let key: string;

/** @param at in seconds after the start */
function keyRow(at: number) {
  const { plaintext, hash, display } = generateApiKey();
  const shown = { displayPrefix: display.prefix, displayLast4: display.last4 };
  const row = { id: newId(), organizationId, name: `key ${at}`, role: 'owner', ...shown, hash };
  return { plaintext, row: { ...row, createdAt: new Date(START + at * 1_000) } };
}

beforeAll(async () => {
  organizationId = await installation.newOrganization();
  const rows = Array.from({ length: 1_000 }, (_, at) => keyRow(at));
  key = rows[0]?.plaintext ?? '';
  await installation.database.apiKey.createMany({ data: rows.map(({ row }) => row) });
});

async function get(path: string, backend: Backend = installation.backend()) {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetchRest(backend, new Request(`https://app.example/api/v1${path}`, { headers }));
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

interface Item {
  id: string;
  name: string;
}

/** The field that names an item of a list, whatever the list calls it. */
function nameOf(item: object): unknown {
  const fields = ['name', 'groupId', 'transactionalId', 'user', 'resourceName'];
  return fields.map((field): unknown => Reflect.get(item, field)).find((value) => value !== undefined);
}

interface Page {
  items: Item[];
  nextCursor: string | null;
}

async function pageOf(path: string, backend?: Backend): Promise<Page> {
  const { status, json } = await get(path, backend);
  expect([status, json]).toEqual([200, expect.objectContaining({ items: expect.any(Array) })]);
  return json as unknown as Page;
}

async function readAll(path: string): Promise<Item[]> {
  const all: Item[] = [];
  let next = '';
  for (;;) {
    const { items, nextCursor } = await pageOf(`${path}${next}`);
    all.push(...items);
    if (nextCursor === null) {
      return all;
    }
    next = `&cursor=${nextCursor}`;
  }
}

test('a page goes on after an item that was deleted', async () => {
  const { items, nextCursor } = await pageOf('/api-keys?limit=10');
  expect(items.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, at) => `key ${999 - at}`));
  await installation.database.apiKey.delete({ where: { id: items[9]?.id ?? '' } });
  const next = await pageOf(`/api-keys?limit=10&cursor=${nextCursor}`);
  expect(next.items[0]?.name).toBe('key 989');
});

test('a page of 10 among 1,000 keys reads 11 rows', async () => {
  const { nextCursor } = await pageOf('/api-keys?limit=10');
  let rowsRead = 0;
  const backend = installation.backend();
  const counting = backend.database.$extends({
    query: {
      apiKey: {
        async findMany({ args, query }) {
          const rows = await query(args);
          rowsRead += rows.length;
          return rows;
        },
      },
    },
  });
  const page = await pageOf(`/api-keys?limit=10&cursor=${nextCursor}`, {
    ...backend,
    database: counting as unknown as Backend['database'],
  });
  expect([page.items.length, rowsRead]).toEqual([10, 11]);
});

test('keys created in one millisecond are each listed once', async () => {
  const at = keyRow(5_000);
  const rows = [at, ...Array.from({ length: 24 }, () => keyRow(5_000))].map(({ row }) => row);
  await installation.database.apiKey.createMany({ data: rows });
  const { items } = await pageOf('/api-keys?limit=100');
  const paged = await readAll('/api-keys?limit=7');
  expect(paged.slice(0, 100)).toEqual(items);
  expect(new Set(paged.map(({ id }) => id)).size).toBe(paged.length);
});

describe('clusters', () => {
  const names = ['one', 'two', 'three', 'four', 'five'];

  beforeAll(async () => {
    const data = names.map((name, at) => ({
      id: newId(),
      organizationId,
      name,
      cloud: 'aws',
      region: 'x',
      createdAt: new Date(START + Math.floor(at / 2)),
    }));
    await installation.database.virtualCluster.createMany({ data });
  });

  test('are listed oldest first, each once', async () => {
    expect((await readAll('/clusters?limit=2')).map(({ name }) => name)).toEqual(names);
  });

  test('of a deleted page are listed latest deletion first', async () => {
    const { database } = installation;
    const deletedAt = new Date();
    await database.virtualCluster.updateMany({ where: { organizationId }, data: { deletedAt } });
    await database.virtualCluster.updateMany({
      where: { organizationId, name: 'three' },
      data: { deletedAt: new Date(deletedAt.getTime() + 1) },
    });
    const listed = await readAll('/deleted-clusters?limit=2');
    expect(listed.map(({ name }) => name)).toEqual(['three', 'one', 'two', 'four', 'five']);
    await database.virtualCluster.updateMany({ where: { organizationId }, data: { deletedAt: null } });
  });
});

describe('lists of the metadata service', () => {
  const metadata = createFakeMetadata();
  const names = Array.from({ length: 500 }, (_, at) => `item-${String(at).padStart(3, '0')}`);
  const lists = ['topics', 'consumer-groups', 'transactions', 'users', 'acls', 'quotas'];
  let clusterId: string;

  beforeAll(async () => {
    clusterId = newId();
    await installation.database.virtualCluster.create({
      data: { id: clusterId, organizationId, name: 'long lists', cloud: 'aws', region: 'x' },
    });
    for (const name of names.toReversed()) {
      addToLists(metadata, name);
    }
    metadata.messageBrowserUrls.push(...names.map((name) => `https://${name}.example.com`));
  });

  /** Counts the entries of all lists in the answers of the service. */
  function counting() {
    const counted = { entries: 0 };
    const counts = new Proxy(metadata, {
      get(fake, name: keyof typeof metadata) {
        const call: unknown = fake[name];
        if (typeof call !== 'function') {
          return call;
        }
        return async (...given: unknown[]) => {
          const answer: unknown = await call(...given);
          const lists = Array.isArray(answer) ? [answer] : Object.values(Object(answer)).filter(Array.isArray);
          counted.entries += lists.reduce((sum, list) => sum + list.length, 0);
          return answer;
        };
      },
    });
    return { backend: installation.backend({ metadata: counts }), counted };
  }

  test.each(lists)('a page of 10 among 500 %s reads 11 entries', async (list) => {
    const { backend, counted } = counting();
    const path = `/clusters/${clusterId}/${list}?limit=10`;
    const { items, nextCursor } = await pageOf(path, backend);
    expect(items.map((item) => nameOf(item))).toEqual(names.slice(0, 10));
    const next = await pageOf(`${path}&cursor=${nextCursor}`, backend);
    expect(next.items.map((item) => nameOf(item))).toEqual(names.slice(10, 20));
    expect(counted.entries).toBe(22);
  });

  test.each(lists)('a page of %s goes on after an item that was deleted', async (list) => {
    const { backend } = counting();
    const { nextCursor } = await pageOf(`/clusters/${clusterId}/${list}?limit=10`, backend);
    removeFromLists(metadata, 'item-009');
    const next = await pageOf(`/clusters/${clusterId}/${list}?limit=10&cursor=${nextCursor}`, backend);
    expect(next.items.map((item) => nameOf(item))[0]).toBe('item-010');
    addToLists(metadata, 'item-009');
  });

  test('a page of 10 among 500 agents reads 11', async () => {
    const { backend, counted } = counting();
    const path = `/clusters/${clusterId}/agents?limit=10`;
    const { nextCursor } = await pageOf(path, backend);
    const { items } = await pageOf(`${path}&cursor=${nextCursor}`, backend);
    const sorted = names.map((_, index) => `agent-${index + 1}`).sort();
    expect(items.map((item) => Reflect.get(item, 'agentId'))).toEqual(sorted.slice(10, 20));
    expect(counted.entries).toBe(22);
  });

  test.each(['topics', 'consumer-groups', 'transactions'])('one of 500 %s is read alone', async (list) => {
    const { backend, counted } = counting();
    const { status, json } = await get(`/clusters/${clusterId}/${list}/item-250`, backend);
    expect([status, nameOf(json)]).toEqual([200, 'item-250']);
    // The columns of its two partitions count as lists.
    expect(counted.entries).toBeLessThan(10);
    expect((await get(`/clusters/${clusterId}/${list}/item-999`, backend)).status).toBe(404);
  });
});

test('the pages of the event log follow one another', async () => {
  const { database } = installation;
  const clusterId = newId();
  await database.virtualCluster.create({
    data: { id: clusterId, organizationId, name: 'eventful', cloud: 'aws', region: 'x' },
  });
  const at = new Date(START);
  const event = { clusterId, organizationId, at, type: 'test', text: 'Test', data: {}, severity: 'info' };
  const ids = Array.from({ length: 25 }, () => newId()).sort();
  await database.clusterEvent.createMany({ data: ids.map((id) => ({ id, ...event })) });
  expect((await readAll(`/clusters/${clusterId}/events?limit=10`)).map(({ id }) => id)).toEqual(ids.toReversed());
});

test('the event log goes on after the page that a stream brings', async () => {
  const { database } = installation;
  const session = await installation.newPerson({ organizationId, role: 'owner' });
  const clusterId = newId();
  await database.virtualCluster.create({
    data: { id: clusterId, organizationId, name: 'logged', cloud: 'aws', region: 'x' },
  });
  const at = new Date(START);
  const event = { clusterId, organizationId, at, type: 'test', text: 'Test', data: {}, severity: 'info' };
  await database.clusterEvent.createMany({ data: Array.from({ length: 300 }, () => ({ id: newId(), ...event })) });
  const api = installation.caller(session);
  const updates = await api.cluster.watch({ clusterId, parts: [{ kind: 'events' }] });
  for await (const [, update] of updates as AsyncIterable<
    [string, { kind?: string; data: { nextCursor: string | null } }]
  >) {
    if (update.kind === 'events') {
      const { events } = await api.health.events({ clusterId, cursor: update.data.nextCursor ?? undefined });
      expect(events.length).toBeGreaterThan(0);
      break;
    }
  }
});

test.each([
  ['an id alone', Buffer.from(newId()).toString('base64url')],
  ['no base64', '%25%25'],
  ['a key of the wrong form', Buffer.from('["listApiKeys",1]').toString('base64url')],
  ['a time that is none', Buffer.from(`["listApiKeys",1e300,"${newId()}"]`).toString('base64url')],
  ['the cursor of another list', Buffer.from(`["listClusters",1,"${newId()}"]`).toString('base64url')],
  ['too long', 'a'.repeat(9_000)],
])('a cursor that is %s is refused with what to do', async (_what, cursor) => {
  const { status, json } = await get(`/api-keys?cursor=${cursor}`);
  expect([status, json['code'], json['errors']]).toEqual([
    422,
    'input_invalid',
    [
      {
        pointer: '?cursor',
        detail: 'This is not a cursor of this list. Use `nextCursor` of the previous page, or start without a cursor.',
      },
    ],
  ]);
});
