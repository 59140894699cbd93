// Generated requests of an identity provider: resources, patches, filters and pages of SCIM. Whatever comes, the answer is SCIM's,
// never a 500.
import { createScimToken } from '@penstock/identity';
import { newId } from '@penstock/platform';
import { type Actor, inTenant } from '@penstock/tenancy';
import { bentJson, bentText, hostileText, runFuzz } from '@penstock/testing/fuzz';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Backend } from '../backend.ts';
import { setUpInstallation } from '../testing/installation.ts';
import { handleScim } from './answer-scim.ts';

const installation = setUpInstallation();
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
/** Stands for the domain that the organization has verified. */
const DOMAIN = 'verified.example';

let backend: Backend;
let token: string;
let userId: string;
let groupId: string;
const domain = `${newId()}.example`;

beforeAll(async () => {
  const organizationId = await installation.newOrganization();
  const owner = await installation.newPerson({ organizationId, role: 'owner' });
  await installation.database.ssoDomain.create({
    data: { id: newId(), organizationId, domain, token: 'token', verifiedAt: new Date() },
  });
  const actor: Actor = { type: 'user', id: owner.user.id, label: owner.user.email, source: 'web' };
  const scope = { organizationId, actor, now: new Date() };
  const made = await inTenant(installation.database, organizationId, (tx) =>
    createScimToken({ tx, ...scope }, { lifetimeDays: 30, overlapHours: 0 }),
  );
  token = made.plaintext;
  backend = installation.backend();
  userId = await idOf('/Users', userBody(`ada@${domain}`));
  groupId = await idOf('/Groups', { schemas: [GROUP], displayName: 'Engineers', members: [{ value: userId }] });
});

async function ask(method: string, path: string, text: string | null) {
  const headers = new Headers({ authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' });
  const body = text === null ? null : iterate(Buffer.from(text));
  const answer = await handleScim(backend, { method, url: `/scim/v2${path}`, headers, body });
  return { status: answer.status, text: String(answer.body ?? '') };
}

async function idOf(path: string, body: object): Promise<string> {
  const { text } = await ask('POST', path, JSON.stringify(body));
  return (JSON.parse(text) as { id: string }).id;
}

async function* iterate(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

const userBody = (address: string) => ({
  schemas: [USER],
  userName: address,
  externalId: 'external',
  displayName: 'Ada Lovelace',
  name: { givenName: 'Ada', familyName: 'Lovelace', formatted: 'Ada Lovelace' },
  emails: [{ primary: true, type: 'work', value: address }],
  active: true,
});

const patchBody = {
  schemas: [PATCH],
  Operations: [
    { op: 'Replace', path: 'emails[type eq "work"].value', value: `lovelace@${DOMAIN}` },
    { op: 'Add', path: 'members', value: [{ value: 'USER' }] },
    { op: 'Remove', path: 'members[value eq "USER"]' },
    { op: 'Replace', value: { 'name.givenName': 'Ada', displayName: 'Ada', active: 'False' } },
  ],
};

const bodies = fc.constantFrom<object>(
  userBody(`ada@${DOMAIN}`),
  { schemas: [GROUP], displayName: 'Engineers', externalId: 'external', members: [{ value: 'USER' }] },
  patchBody,
);
const paths = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('/Users', '/Users/USER', '/Groups', '/Groups/GROUP') },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('/Users/', '/Groups/', '/Schemas/', '/'), hostileText(100))
      .map(([front, text]) => front + encodeURIComponent(text.toWellFormed())),
  },
);
const filters = fc
  .constantFrom(
    `userName eq "ada@${DOMAIN}"`,
    'externalId eq "external" and active eq true',
    'displayName eq "Engineers"',
  )
  .chain(bentText);
const queries = fc
  .record(
    {
      filter: filters,
      startIndex: hostileText(20),
      count: hostileText(20),
      attributes: hostileText(50),
      excludedAttributes: hostileText(50),
    },
    { requiredKeys: [] },
  )
  .map((query) => new URLSearchParams(query).toString());

/** Puts the ids in that the organization has. */
const withIds = (text: string): string =>
  text.replaceAll(DOMAIN, domain).replaceAll('USER', userId).replaceAll('GROUP', groupId);

test('every request of SCIM gets an answer of SCIM', async () => {
  const requests = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    path: paths,
    query: fc.oneof(fc.constant(''), queries),
    body: fc.oneof(
      { weight: 8, arbitrary: bodies.chain(bentJson).map((json) => JSON.stringify(json)) },
      { weight: 1, arbitrary: hostileText() },
      { weight: 1, arbitrary: fc.constant(`{"a":${'['.repeat(15_000)}${']'.repeat(15_000)}}`) },
    ),
  });
  const property = fc.asyncProperty(requests, async ({ method, path, query, body }) => {
    const target = withIds(path) + (query === '' ? '' : `?${withIds(query)}`);
    const { status, text } = await ask(method, target, method === 'GET' ? null : withIds(body));
    expect({ isDefect: status >= 500, text }).toMatchObject({ isDefect: false });
  });
  await runFuzz('rest', 'scim', 250, property);
});
