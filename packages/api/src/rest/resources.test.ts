// Guarantees of single routes, beyond what the matrix checks for all of them.
import { generateApiKey, newId } from '@penstock/platform';
import { beforeAll, describe, expect, test } from 'vitest';
import { fetchRest } from '../testing/fetch-rest.ts';
import { setUpInstallation } from '../testing/installation.ts';

const installation = setUpInstallation();
let organizationId: string;
let key: string;

beforeAll(async () => {
  organizationId = await installation.newOrganization();
  const { plaintext, hash, display } = generateApiKey();
  const displayed = { displayPrefix: display.prefix, displayLast4: display.last4 };
  await installation.database.apiKey.create({
    data: { id: newId(), organizationId, name: 'test', role: 'owner', hash, ...displayed },
  });
  key = plaintext;
});

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetchRest(
    installation.backend(),
    new Request(`http://localhost:3000/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  const etag = response.headers.get('etag') ?? '';
  return { status: response.status, etag, text, json: JSON.parse(text === '' ? '{}' : text) };
}

describe('single sign-on', () => {
  const clientSecret = 'canary-of-the-client-secret';
  const connection = { issuer: 'https://login.example.com', clientId: 'penstock' };

  test('is set up, required and removed without showing its secret', async () => {
    expect((await send('GET', '/sso/connection')).status).toBe(404);
    const incomplete = await send('PATCH', '/sso/connection', { isRequired: true });
    expect([incomplete.status, incomplete.json.errors]).toMatchObject([422, [{ pointer: '#/issuer' }]]);
    const begun = await send('PATCH', '/sso/connection', { ...connection, clientSecret });
    const untested = await send('PATCH', '/sso/connection', { isRequired: true });
    expect(untested.json).toMatchObject({ status: 409, code: 'sso_test_missing' });
    const steps = [{ name: 'role', problem: null, facts: [] }];
    await installation.database.ssoConnection.update({
      where: { organizationId },
      data: { testResult: { testedAt: new Date().toISOString(), steps } },
    });
    const answers = [
      begun,
      await send('PATCH', '/sso/connection', { isRequired: true }),
      await send('GET', '/sso'),
      await send('GET', '/sso/connection'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { text } of answers) {
      expect(text).not.toContain(clientSecret);
    }
    expect(answers[1]?.json).toMatchObject({ ...connection, defaultRole: 'viewer', isRequired: true });
    expect(answers[2]?.json.callbackUrl).toMatch(/\/api\/auth\/sso\/callback$/);
    const audit = await send('GET', '/audit-log?action=sso.update');
    expect(audit.json.items).toHaveLength(2);
    expect(audit.text).not.toContain(clientSecret);
  });

  test('accepts a change only if it is based on the current version', async () => {
    const { etag } = await send('GET', '/sso/connection');
    const change = (headers: Record<string, string>) =>
      send('PATCH', '/sso/connection', { defaultRole: 'billing' }, headers);
    const changed = await change({ 'if-match': etag });
    expect(changed.status).toBe(200);
    expect((await change({ 'if-match': etag })).json).toMatchObject({ status: 412, code: 'precondition_failed' });
    expect((await change({ 'if-match': changed.etag })).status).toBe(200);
    expect((await send('DELETE', '/sso/connection')).status).toBe(204);
    expect((await send('GET', '/sso/connection')).json.code).toBe('sso_connection_not_found');
  });

  test('claims a domain once and explains how to prove it', async () => {
    const claim = () => send('POST', '/sso/domains', { domain: 'nothing.invalid' }, { 'idempotency-key': 'claim' });
    const claimed = await claim();
    expect((await claim()).json).toEqual(claimed.json);
    const unproven = await send('POST', `/sso/domains/${claimed.json.id}/verify`);
    expect(unproven.json).toMatchObject({ status: 409, code: 'sso_domain_record_missing' });
    expect((await send('DELETE', `/sso/domains/${claimed.json.id}`)).status).toBe(204);
    expect((await send('GET', '/sso/domains')).json.items).toEqual([]);
  });

  test('a repeated verification gets the outcome of the first', async () => {
    const id = newId();
    const domain = { id, organizationId, domain: `${id}.example`, token: 'token', verifiedAt: new Date() };
    await installation.database.ssoDomain.create({ data: domain });
    const verify = (domainId: string) =>
      send('POST', `/sso/domains/${domainId}/verify`, undefined, { 'idempotency-key': 'verify' });
    const verified = await verify(id);
    expect([verified.status, verified.json.verifiedAt]).toEqual([200, domain.verifiedAt.toISOString()]);
    expect((await verify(id)).json).toEqual(verified.json);
    expect((await verify(newId())).status).toBe(404);
  });
});

describe('budget, billing details and webhook', () => {
  test('a change based on an older version is refused', async () => {
    for (const [path, changes] of [
      ['/billing/budget', [{ budgetUsd: '250' }, { budgetUsd: '300' }]],
      ['/webhook', [{ webhookUrl: 'https://hooks.example.com/a' }, { webhookUrl: 'https://hooks.example.com/b' }]],
    ] as const) {
      const { etag } = await send('GET', path);
      const outcomes: number[] = [];
      for (const change of changes) {
        outcomes.push((await send('PATCH', path, change, { 'if-match': etag })).status);
      }
      expect([path, ...outcomes]).toEqual([path, 200, 412]);
    }
  });

  test('details are set as a whole, and read back unchanged', async () => {
    const names = [
      'legalName',
      'addressLine1',
      'addressLine2',
      'city',
      'state',
      'postalCode',
      'country',
      'billingEmail',
    ];
    const empty = Object.fromEntries([...names, 'taxId', 'taxIdType'].map((name) => [name, null]));
    const { etag } = await send('GET', '/billing/details');
    const set = await send('PATCH', '/billing/details', { ...empty, country: 'de' }, { 'if-match': etag });
    expect(set.json).toEqual({ ...empty, country: 'DE' });
    expect((await send('GET', '/billing/details')).etag).toBe(set.etag);
    expect((await send('PATCH', '/billing/details', { country: 'DE' })).status).toBe(422);
    const halfTax = await send('PATCH', '/billing/details', { ...empty, taxId: 'DE1' });
    expect([halfTax.status, halfTax.json.errors[0].pointer]).toEqual([422, '#/taxId']);
  });

  test('a webhook’s secret is shown once', async () => {
    const { json } = await send('PATCH', '/webhook', { webhookUrl: 'https://hooks.example.com/c' });
    expect(json.secret.length).toBeGreaterThan(20);
    const again = await send('GET', '/webhook');
    expect(again.json).toEqual({ url: json.url });
    expect((await send('PATCH', '/webhook', { webhookUrl: null })).json).toEqual({ url: null });
  });
});

test('creates and ends a silence with times in RFC 3339', async () => {
  const { json: cluster } = await send('POST', '/clusters', { name: 'orders', cloud: 'aws', region: 'x' });
  const silence = (until: string) =>
    send('POST', `/clusters/${cluster.id}/silences`, { rule: null, until, reason: 'Maintenance' });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const made = await silence(until);
  expect(made.json).toMatchObject({ rule: null, until, reason: 'Maintenance' });
  expect((await silence('tomorrow')).json.errors[0].pointer).toBe('#/until');
  expect((await send('GET', `/clusters/${cluster.id}/silences`)).json.items).toEqual([made.json]);
  expect((await send('DELETE', `/silences/${made.json.id}`)).status).toBe(204);
  expect((await send('GET', `/clusters/${cluster.id}/silences`)).json.items).toEqual([]);
});
