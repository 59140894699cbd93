import { createPublicKey, verify } from 'node:crypto';
import { messageBrowserPublicKey } from '@penstock/platform';
import { describe, expect, test } from 'vitest';
import { refusalOf, setUpControlPlane } from '../testing/control-plane.ts';
import { createFakeMetadata } from '../testing/fake-metadata.ts';
import { createBrowseTokenSigner } from './browse-tokens.ts';
import { createBrowseToken } from './create-browse-token.ts';

const plane = setUpControlPlane();
const SECRET = 'a secret of more than thirty-two characters';

async function setUp() {
  const tenant = await plane.newTenant();
  const cluster = await plane.newCluster(tenant);
  const metadata = createFakeMetadata();
  metadata.topics.add('orders');
  const browseTokens = createBrowseTokenSigner([{ id: 1, secret: SECRET }], 'https://app.example.com/');
  return {
    tenant,
    metadata,
    clusterId: cluster.id,
    browse: (name = 'orders', reader = tenant) =>
      reader.run((scope) => createBrowseToken(scope, { metadata, browseTokens }, { clusterId: cluster.id, name })),
  };
}

function read(token: string, clusterId: string): { isGood: boolean; claims: Record<string, unknown> } {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const x = Buffer.from(messageBrowserPublicKey(SECRET, clusterId)).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const isGood = verify(null, Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'));
  return { isGood, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown> };
}

describe('a token for reading records', () => {
  test('opens one topic for 30 seconds and audits no secret', async () => {
    const { tenant, metadata, clusterId, browse } = await setUp();
    metadata.messageBrowserUrls.push('https://records.example.com', '');
    const issued = await browse();
    expect(issued.agents).toEqual([
      { agentId: 'agent-1', nodeId: 1, zone: '', url: 'https://records.example.com', token: issued.token },
    ]);
    const { isGood, claims } = read(issued.token, clusterId);
    expect(isGood).toBe(true);
    expect(read(issued.token, 'another').isGood).toBe(false);
    expect(claims).toMatchObject({
      aud: 'message-browser',
      cluster: clusterId,
      topic: 'orders',
      agents: ['agent-1'],
      origin: 'https://app.example.com',
      org: tenant.organizationId,
    });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(30);
    const row = (await plane.auditOf(tenant)).at(-1);
    expect(row).toMatchObject({ action: 'topic.browse', targetId: `${clusterId}/orders` });
    expect(JSON.stringify(row)).not.toContain(issued.token.split('.')[2]);
  });

  // An agent that receives it cannot use it at another.
  test('works only for agents at one address', async () => {
    const { metadata, clusterId, browse } = await setUp();
    metadata.messageBrowserUrls.push(
      'https://shared.example.com',
      'https://own.example.com',
      'https://shared.example.com',
    );
    const { agents } = await browse();
    const named = agents.map(({ url, token }) => [url, read(token, clusterId).claims['agents']]);
    expect(named).toEqual([
      ['https://shared.example.com', ['agent-1', 'agent-3']],
      ['https://own.example.com', ['agent-2']],
      ['https://shared.example.com', ['agent-1', 'agent-3']],
    ]);
  });

  test('renews without another audit row for five minutes', async () => {
    const { tenant, metadata, clusterId } = await setUp();
    metadata.messageBrowserUrls.push('https://records.example.com');
    const browseTokens = createBrowseTokenSigner([{ id: 1, secret: SECRET }], 'https://app.example.com/');
    const start = Date.now();
    const browseAt = (passedMs: number) =>
      tenant.run((scope) =>
        createBrowseToken(
          { ...scope, now: new Date(start + passedMs) },
          { metadata, browseTokens },
          { clusterId, name: 'orders' },
        ),
      );
    const looks = async () => (await plane.auditOf(tenant)).filter(({ action }) => action === 'topic.browse').length;
    const first = await browseAt(0);
    const second = await browseAt(25_000);
    expect(second.token).not.toBe(first.token);
    expect(second.expiresAtMs - first.expiresAtMs).toBe(25_000);
    expect(await looks()).toBe(1);
    await browseAt(5 * 60_000);
    expect(await looks()).toBe(2);
  });

  test('is refused without an audit row if it could not work', async () => {
    const { tenant, metadata, browse } = await setUp();
    metadata.messageBrowserUrls.push('');
    const rows = (await plane.auditOf(tenant)).length;
    expect(await refusalOf(browse())).toBe('message_browser_off');
    metadata.messageBrowserUrls.push('https://records.example.com');
    expect(await refusalOf(browse('payments'))).toBe('topic_not_found');
    expect(await refusalOf(browse('orders', await plane.newTenant()))).toBe('cluster_not_found');
    expect(await plane.auditOf(tenant)).toHaveLength(rows);
  });
});
