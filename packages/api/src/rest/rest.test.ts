// The public API as programs use it, over fetch and on a real PostgreSQL.
import { generateApiKey, newId } from '@penstock/platform';
import { expireOutcomes, type Role } from '@penstock/tenancy';
import { beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../public-api.ts';
import { fetchRest } from '../testing/fetch-rest.ts';
import { setUpInstallation } from '../testing/installation.ts';

const installation = setUpInstallation();
const cluster = { name: 'orders', cloud: 'aws', region: 'eu-central-1' };
let organizationId: string;
let key: string;

async function newKey(
  organization: string,
  role: Role = 'owner',
  changes: { isReadOnly?: boolean } = {},
): Promise<string> {
  const { plaintext, hash, display } = generateApiKey();
  await installation.database.apiKey.create({
    data: {
      id: newId(),
      organizationId: organization,
      name: 'test',
      role,
      displayPrefix: display.prefix,
      displayLast4: display.last4,
      hash,
      ...changes,
    },
  });
  return plaintext;
}

beforeAll(async () => {
  organizationId = await installation.newOrganization();
  key = await newKey(organizationId);
});

/** The members of any response that the tests below read. */
interface Told {
  id: string;
  code: string;
  warning: string | null;
  errors: { pointer: string }[];
  items: { name: string }[];
  nextCursor: string | null;
}

interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
  as?: string | null;
}

async function send(method: string, path: string, { body, headers = {}, as = key }: Sent = {}) {
  const response = await fetchRest(
    installation.backend(),
    new Request(`http://localhost:3000/api/v1${path}`, {
      method,
      headers: {
        ...(as === null ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: JSON.parse(text === '' ? '{}' : text) as Told };
}

describe('errors', () => {
  test('are problem details with code, request id and input pointer', async () => {
    const requestId = newId();
    const refused = await send('POST', '/clusters', {
      body: { ...cluster, name: 'a/b' },
      headers: { 'x-request-id': requestId },
    });
    expect(refused.status).toBe(422);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(refused.headers.get('x-request-id')).toBe(requestId);
    expect(refused.json).toMatchObject({
      type: 'urn:penstock:problem:input_invalid',
      code: 'input_invalid',
      status: 422,
      requestId,
      errors: [{ pointer: '#/name' }],
    });
  });

  test.each([
    ['GET', '/clusters?sort=name', {}, 422, '?sort'],
    ['GET', '/clusters?limit=1&limit=2', {}, 422, '?limit'],
    ['GET', '/clusters?constructor=1', {}, 422, '?constructor'],
    ['POST', '/clusters', { body: { ...cluster, constructor: 1 } }, 422, '#/constructor'],
    ['GET', '/clusters?limit=none', {}, 422, '?limit'],
    ['GET', '/clusters?cursor=none', {}, 422, '?cursor'],
    ['GET', '/clusters/nonsense', {}, 422, '/{clusterId}'],
    ['POST', '/clusters', { body: { ...cluster, size: 3 } }, 422, '#/size'],
    ['PATCH', `/clusters/${newId()}/topics/t`, { body: { configs: { 'no.such': '1' } } }, 422, '#/configs'],
  ])('%s %s %j: %d at %s, never ignored', async (method, path, sent, status, pointer) => {
    const refused = await send(method, path, sent);
    expect([refused.status, refused.json.errors[0]?.pointer]).toEqual([status, pointer]);
  });

  test.each([
    ['GET', '/nothing', {}, 404, 'route_not_found'],
    ['PUT', '/clusters', {}, 405, 'method_not_allowed'],
    ['DELETE', '/api-keys/current', {}, 405, 'method_not_allowed'],
    ['GET', '/clusters/%E0%A4%A', {}, 400, 'path_malformed'],
    ['POST', '/clusters', { body: '{' }, 400, 'body_malformed'],
    ['POST', '/clusters', {}, 400, 'body_missing'],
    ['POST', '/clusters', { body: '[]' }, 422, 'input_invalid'],
    [
      'POST',
      '/clusters',
      { body: cluster, headers: { 'content-type': 'text/plain' } },
      415,
      'content_type_unsupported',
    ],
    ['POST', '/clusters', { body: ' '.repeat(70_000) }, 413, 'body_too_large'],
    ['GET', '/clusters', { as: null }, 401, 'api_key_missing'],
    ['GET', '/clusters', { as: generateApiKey().plaintext }, 401, 'api_key_unknown'],
    ['GET', `/clusters/${newId()}`, {}, 404, 'cluster_not_found'],
  ])('%s %s %j: %d %s', async (method, path, sent, status, code) => {
    const refused = await send(method, path, sent);
    expect([refused.status, refused.json.code]).toEqual([status, code]);
  });
});

test('each response reports the key’s quota and any wait', async () => {
  const backend = installation.backend({ apiRequestsPerMinute: 2 });
  const ask = () =>
    fetchRest(
      backend,
      new Request('http://localhost:3000/api/v1/clusters', { headers: { authorization: `Bearer ${key}` } }),
    );
  expect((await ask()).headers.get('ratelimit-policy')).toBe('"api";q=2;w=60');
  expect((await ask()).headers.get('ratelimit')).toMatch(/^"api";r=0;t=\d+$/);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

describe('a list', () => {
  test('comes in pages that contain each item once', async () => {
    const other = await installation.newOrganization();
    const as = await newKey(other);
    for (const name of ['a', 'b', 'c']) {
      await send('POST', '/clusters', { body: { ...cluster, name }, as });
    }
    const names: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await send('GET', `/clusters?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`, { as });
      names.push(...page.json.items.map(({ name }) => name));
      cursor = page.json.nextCursor;
    }
    expect(names.sort()).toEqual(['a', 'b', 'c']);
  });
});

describe('the audit log', () => {
  const exportOf = (query: string, as: string) =>
    fetchRest(
      installation.backend(),
      new Request(`http://localhost:3000/api/v1/audit-log/export${query}`, {
        headers: { authorization: `Bearer ${as}` },
      }),
    );

  test('filters by query parameters and exports the hash chain', async () => {
    const other = await installation.newOrganization();
    const as = await newKey(other);
    for (const name of ['a', 'b']) {
      await send('POST', '/clusters', { body: { ...cluster, name }, as });
    }
    await send('POST', '/api-keys', { body: { name: 'another', role: 'viewer' }, as });
    const found = await send('GET', '/audit-log?action=cluster&source=api&limit=1', { as });
    expect([found.status, found.json.items.length, found.json.nextCursor]).toEqual([200, 1, expect.any(String)]);
    const late = await send('GET', '/audit-log?from=2100-01-01T00:00:00%2B01:00', { as });
    expect(late.json.items).toEqual([]);

    const file = await exportOf('', as);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-[0-9-]+\.ndjson"$/);
    const rows = (await file.text()).trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row).seq)).toEqual(['1', '2', '3']);
    const csv = await exportOf('?format=csv&action=api-key.create', as);
    expect([csv.headers.get('content-type'), (await csv.text()).trimEnd().split('\r\n').length]).toEqual([
      'text/csv; charset=utf-8',
      2,
    ]);
  });

  test.each([
    ['?from=yesterday', '?from'],
    ['?action=Cluster!', '?action'],
    ['?format=pdf', '?format'],
    ['?who=me', '?who'],
  ])('refuses %s instead of ignoring it', async (query, pointer) => {
    const refused = await exportOf(query, key);
    const problem = (await refused.json()) as Told;
    expect([refused.status, problem.errors[0]?.pointer]).toEqual([422, pointer]);
  });
});

describe('an Idempotency-Key', () => {
  const withKey = (idempotencyKey: string, body: unknown) =>
    send('POST', '/clusters', { body, headers: { 'idempotency-key': idempotencyKey } });

  test('makes one cluster from a hundred concurrent creates', async () => {
    const idempotencyKey = newId();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => withKey(idempotencyKey, { ...cluster, name: 'raced' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect(await installation.database.virtualCluster.count({ where: { organizationId, name: 'raced' } })).toBe(1);
    const created = await installation.database.auditLog.findMany({
      where: { organizationId, action: 'cluster.create', targetId: answers[0]?.json.id ?? '' },
    });
    expect(created.map(({ source, actorType }) => [source, actorType])).toEqual([['api', 'api-key']]);
  });

  test('used with another body is refused', async () => {
    const idempotencyKey = newId();
    await withKey(idempotencyKey, { ...cluster, name: 'first body' });
    const refused = await withKey(idempotencyKey, { ...cluster, name: 'second body' });
    expect([refused.status, refused.json.code]).toEqual([409, 'idempotency_key_reused']);
  });

  test('stores no refusal: a failed request may be repeated with it', async () => {
    const [idempotencyKey, taken] = [newId(), await withKey(newId(), { ...cluster, name: 'taken' })];
    expect((await withKey(idempotencyKey, { ...cluster, name: 'taken' })).json.code).toBe('cluster_name_taken');
    await send('PATCH', `/clusters/${taken.json.id}`, { body: { name: 'not taken any more' } });
    expect((await withKey(idempotencyKey, { ...cluster, name: 'taken' })).status).toBe(201);
  });

  test('repeats a new secret that the database cannot reveal', async () => {
    const idempotencyKey = newId();
    const make = () =>
      send('POST', '/api-keys', {
        body: { name: 'sealed', role: 'viewer' },
        headers: { 'idempotency-key': idempotencyKey },
      });
    const [first, second] = [await make(), await make()];
    expect(second.json).toEqual(first.json);
    const row = await installation.database.idempotencyKey.findFirstOrThrow({ where: { key: idempotencyKey } });
    expect(Buffer.from(row.outcome ?? []).includes('psk_api_')).toBe(false);
  });

  test('expires after a day', async () => {
    const idempotencyKey = newId();
    await withKey(idempotencyKey, { ...cluster, name: 'forgotten' });
    const count = () => installation.database.idempotencyKey.count({ where: { key: idempotencyKey } });
    await expireOutcomes(installation.database, new Date(Date.now() + 23 * 3_600_000));
    expect(await count()).toBe(1);
    await expireOutcomes(installation.database, new Date(Date.now() + 25 * 3_600_000));
    expect(await count()).toBe(0);
  });
});

describe('an ETag', () => {
  test('lets the first of two updates through and refuses the second', async () => {
    const { json } = await send('POST', '/clusters', { body: { ...cluster, name: 'tagged' } });
    const path = `/clusters/${json.id}`;
    const etag = (await send('GET', path)).headers.get('etag') ?? '';
    const rename = (name: string) => send('PATCH', path, { body: { name }, headers: { 'if-match': etag } });
    const answers = await Promise.all([rename('tagged one'), rename('tagged two')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const changed = answers.find(({ status }) => status === 200);
    expect((await send('GET', path)).headers.get('etag')).toBe(changed?.headers.get('etag'));
  });

  test('matches the cluster’s after a configuration change', async () => {
    const { json } = await send('POST', '/clusters', { body: { ...cluster, name: 'warned' } });
    const path = `/clusters/${json.id}`;
    const configure = (mode: string, etag: string) =>
      send('PATCH', path, { body: { mode }, headers: { 'if-match': etag } });
    const changed = await configure('low-latency', (await send('GET', path)).headers.get('etag') ?? '');
    const etag = changed.headers.get('etag') ?? '';
    expect([changed.json.warning, etag]).toEqual([
      expect.stringContaining('No running agent has reported landing buckets.'),
      (await send('GET', path)).headers.get('etag'),
    ]);
    expect((await configure('standard', etag)).json).toMatchObject({ mode: 'standard', warning: null });
    expect((await configure('dev', etag)).status).toBe(412);
  });

  test('is returned by HEAD too', async () => {
    const [get, head] = [await send('GET', '/organization'), await send('HEAD', '/organization')];
    expect([head.status, head.headers.get('etag')]).toEqual([200, get.headers.get('etag')]);
  });

  test('that still matches saves the body', async () => {
    const etag = (await send('GET', '/organization')).headers.get('etag') ?? '';
    const answer = await send('GET', '/organization', { headers: { 'if-none-match': etag } });
    expect([answer.status, answer.json]).toEqual([304, {}]);
  });

  test('protects a member’s role in the same way', async () => {
    const member = await installation.newPerson({ organizationId, role: 'viewer' });
    const path = `/members/${member.user.id}`;
    const etag = (await send('GET', path)).headers.get('etag') ?? '';
    const change = (role: string) => send('PATCH', path, { body: { role }, headers: { 'if-match': etag } });
    expect((await change('billing')).status).toBe(200);
    expect((await change('admin')).json.code).toBe('precondition_failed');
  });
});

test('chooses, reads, changes and previews a cluster’s mode', async () => {
  const made = await send('POST', '/clusters', { body: { ...cluster, name: 'a trial', mode: 'dev' } });
  expect([made.status, made.json]).toMatchObject([201, { mode: 'dev' }]);
  const path = `/clusters/${made.json.id}`;
  const configure = (mode: string) => send('PATCH', path, { body: { mode } });
  expect((await configure('standard')).json).toMatchObject({ mode: 'standard' });
  expect((await send('GET', path)).json).toMatchObject({ mode: 'standard' });
  expect((await configure('low-latency')).json).toMatchObject({ mode: 'low-latency' });
  expect((await configure('fastest')).json.errors[0]?.pointer).toBe('#/mode');
  const modes = { items: [{ mode: 'dev', usdPerMonth: '$0.00' }, { mode: 'standard' }, { mode: 'low-latency' }] };
  expect((await send('GET', '/cluster-modes')).json).toMatchObject(modes);
  expect((await send('GET', `${path}/modes`)).json).toMatchObject({
    items: [{ isCurrent: false, refusal: null }, { isCurrent: false }, { isCurrent: true, refusal: null }],
  });
});

test('one PATCH of a cluster changes all of its fields or none', async () => {
  const made = await send('POST', '/clusters', { body: { ...cluster, name: 'whole' } });
  const path = `/clusters/${made.json.id}`;
  const change = { name: 'whole again', defaultPartitions: 7 };
  const changed = await send('PATCH', path, { body: change });
  expect([changed.status, changed.json]).toMatchObject([200, change]);
  await send('POST', '/clusters', { body: { ...cluster, name: 'taken by another' } });
  const refused = await send('PATCH', path, { body: { name: 'taken by another', defaultPartitions: 8 } });
  expect([refused.status, refused.json.code]).toEqual([409, 'cluster_name_taken']);
  expect((await send('GET', path)).json).toMatchObject(change);
});

test('the metadata memory of a cluster is read with its limits', async () => {
  const { json } = await send('POST', '/clusters', { body: { ...cluster, name: 'remembered' } });
  const memory = await send('GET', `/clusters/${json.id}/metadata-memory`);
  expect(memory.status).toBe(200);
  expect(memory.json).toEqual({
    accounts: [{ name: 'groups', heldBytes: 1_000, limitBytes: 268_435_456 }],
    refusal: null,
  });
});

test('a read-only key changes nothing, whatever its role', async () => {
  const as = await newKey(organizationId, 'owner', { isReadOnly: true });
  expect((await send('GET', '/clusters', { as })).status).toBe(200);
  expect((await send('POST', '/clusters', { body: cluster, as })).json.code).toBe('api_key_read_only');
});

test('documents every operation once, with an answer and example', () => {
  const document = openApiDocument('http://localhost:3000');
  const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item ?? {}));
  expect(operations.length).toBeGreaterThan(30);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  const schemas = document.components?.schemas ?? {};
  expect(schemas['Cluster']).toMatchObject({ example: { name: 'orders' } });
  expect(JSON.stringify(document)).not.toContain('$defs');
});
