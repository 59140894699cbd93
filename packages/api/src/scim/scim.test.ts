// SCIM with the requests that Entra ID and Okta document, and with attacks.
import { createApiKey, createScimToken, removeMember } from '@penstock/identity';
import { newId } from '@penstock/platform';
import { type Actor, inTenant, type Role, type Scope } from '@penstock/tenancy';
import { beforeEach, describe, expect, test } from 'vitest';
import { setUpInstallation } from '../testing/installation.ts';
import { handleScim } from './answer-scim.ts';

const installation = setUpInstallation();
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

interface Organization {
  organizationId: string;
  /** A domain that is verified. */
  domain: string;
  ownerId: string;
  token: string;
  run<T>(work: (scope: Scope) => Promise<T>): Promise<T>;
}

interface Resource {
  id: string;
  active?: boolean;
  userName?: string;
  externalId?: string;
  displayName?: string;
  members?: { value: string }[];
  groups?: { value: string }[];
  emails?: { value: string }[];
  name?: Record<string, string>;
  detail?: string;
  scimType?: string;
  totalResults?: number;
  itemsPerPage?: number;
  startIndex?: number;
  Resources?: Resource[];
}

async function newOrganization(): Promise<Organization> {
  const organizationId = await installation.newOrganization();
  const owner = await installation.newPerson({ organizationId, role: 'owner' });
  const domain = `${newId()}.example`;
  await installation.database.ssoDomain.create({
    data: { id: newId(), organizationId, domain, token: 'token', verifiedAt: new Date() },
  });
  const actor: Actor = { type: 'user', id: owner.user.id, label: owner.user.email, source: 'web' };
  const run: Organization['run'] = (work) =>
    inTenant(installation.database, organizationId, (tx) => work({ tx, organizationId, actor, now: new Date() }));
  const { plaintext } = await run((scope) => createScimToken(scope, { lifetimeDays: 30, overlapHours: 0 }));
  return { organizationId, domain, ownerId: owner.user.id, token: plaintext, run };
}

async function ask(
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; headers: Record<string, string>; body: Resource }> {
  const bytes = body === undefined ? null : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const headers = new Headers({ authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' });
  const answer = await handleScim(installation.backend(), {
    method,
    url: `/scim/v2${path}`,
    headers,
    body: bytes === null ? null : iterate(bytes),
  });
  const text = answer.body === null ? '{}' : String(answer.body);
  return { status: answer.status, headers: answer.headers, body: JSON.parse(text) as Resource };
}

async function* iterate(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

const patch = (...Operations: object[]) => ({ schemas: [PATCH], Operations });

async function roleOf(organizationId: string, userId: string): Promise<string | null> {
  const member = await installation.database.member.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    select: { role: true },
  });
  return member?.role ?? null;
}

async function newMember({ organizationId, domain }: Organization, role: Role, email = `${newId()}@${domain}`) {
  const id = newId();
  await installation.database.user.create({ data: { id, email, name: 'Test', emailVerified: true } });
  await installation.database.member.create({ data: { id: newId(), organizationId, userId: id, role } });
  return { id, email };
}

async function mapGroups(organizationId: string, groupRoles: object[], isGroupRequired = false): Promise<void> {
  const data = { groupRoles, isGroupRequired, defaultRole: 'viewer' };
  const provider = { issuer: 'https://login.example.com', clientId: 'penstock', clientSecret: new Uint8Array(1) };
  await installation.database.ssoConnection.upsert({
    where: { organizationId },
    create: { organizationId, ...provider, ...data },
    update: data,
  });
}

const actionsOf = async (organizationId: string) =>
  (
    await installation.database.auditLog.findMany({
      where: { organizationId },
      orderBy: [{ at: 'asc' }, { id: 'asc' }],
      select: { action: true, actorLabel: true, source: true },
    })
  ).slice(1);

let own: Organization;
let other: Organization;
beforeEach(async () => {
  own = await newOrganization();
  other = await newOrganization();
});

const newUserBody = (address: string) => ({
  schemas: [USER],
  userName: address,
  externalId: newId(),
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ primary: true, type: 'work', value: address }],
  active: true,
});

async function newUser(organization = own): Promise<{ id: string; address: string }> {
  const address = `${newId()}@${organization.domain}`;
  const { status, body } = await ask(organization.token, 'POST', '/Users', newUserBody(address));
  expect(status, body.detail).toBe(201);
  return { id: body.id, address };
}

async function newGroup(displayName: string, members: string[] = [], organization = own): Promise<string> {
  const { status, body } = await ask(organization.token, 'POST', '/Groups', {
    schemas: [GROUP],
    displayName,
    members: members.map((value) => ({ value })),
  });
  expect(status, body.detail).toBe(201);
  return body.id;
}

describe('the requests of Entra ID', () => {
  test('a user is looked up, created, changed, disabled and deleted', async () => {
    const { token, organizationId, domain } = own;
    const userName = `Test_User_${newId()}@${domain}`;
    const find = () => ask(token, 'GET', `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`);
    expect((await find()).body).toMatchObject({ totalResults: 0, Resources: [], startIndex: 1, itemsPerPage: 0 });

    const made = await ask(token, 'POST', '/Users', {
      schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName,
      active: true,
      emails: [{ primary: true, type: 'work', value: `ada@${domain}` }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Engines', manager: 'someone' },
    });
    expect(made.status).toBe(201);
    expect(made.headers).toMatchObject({
      'content-type': 'application/scim+json',
      location: `http://localhost:3000/scim/v2/Users/${made.body.id}`,
    });
    expect(made.body).toMatchObject({
      schemas: [USER],
      userName,
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      active: true,
      emails: [{ value: `ada@${domain}`, type: 'work', primary: true }],
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    });
    const { id } = made.body;
    expect(await roleOf(organizationId, id)).toBe('viewer');
    expect((await find()).body).toMatchObject({ totalResults: 1, Resources: [{ id }] });

    const updated = await ask(
      token,
      'PATCH',
      `/Users/${id}`,
      patch(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: `lovelace@${domain}` },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Sales' },
        { op: 'Replace', value: { 'name.givenName': 'updatedGivenName', displayName: 'Ada' } },
      ),
    );
    expect(updated).toMatchObject({
      status: 200,
      body: {
        displayName: 'Ada',
        emails: [{ value: `lovelace@${domain}` }],
        name: { familyName: 'updatedFamilyName', givenName: 'updatedGivenName' },
      },
    });
    // The account may open other organizations, and keeps its address.
    expect(await installation.database.user.findUniqueOrThrow({ where: { id } })).toMatchObject({
      email: `ada@${domain}`,
    });

    const disabled = await ask(
      token,
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'Replace', path: 'active', value: 'False' }),
    );
    expect(disabled).toMatchObject({ status: 200, body: { active: false } });
    expect(await roleOf(organizationId, id)).toBeNull();
    expect((await find()).body).toMatchObject({ totalResults: 1, Resources: [{ id, active: false }] });

    expect((await ask(token, 'DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await ask(token, 'GET', `/Users/${id}`)).status).toBe(404);
    expect((await find()).body.totalResults).toBe(0);
  });

  test('manages a group from creation to deletion', async () => {
    const { token } = own;
    const ada = await newUser();
    const made = await ask(token, 'POST', '/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'display_Name',
      meta: { resourceType: 'Group' },
    });
    expect(made).toMatchObject({ status: 201, body: { displayName: 'display_Name', members: [] } });
    const { id } = made.body;
    expect((await ask(token, 'GET', `/Groups/${id}?excludedAttributes=members`)).body).not.toHaveProperty('members');
    const found = await ask(
      token,
      'GET',
      '/Groups?excludedAttributes=members&filter=displayName+eq+%22DISPLAY_name%22',
    );
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
    await ask(token, 'PATCH', `/Groups/${id}`, patch({ op: 'Replace', path: 'displayName', value: 'Engineers' }));
    const filled = await ask(
      token,
      'PATCH',
      `/Groups/${id}`,
      patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: ada.id }] }),
    );
    expect(filled).toMatchObject({ status: 200, body: { displayName: 'Engineers', members: [{ value: ada.id }] } });
    expect((await ask(token, 'GET', `/Users/${ada.id}`)).body.groups).toMatchObject([{ value: id }]);
    const emptied = await ask(
      token,
      'PATCH',
      `/Groups/${id}`,
      patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: ada.id }] }),
    );
    expect(emptied.body.members).toEqual([]);
    expect((await ask(token, 'DELETE', `/Groups/${id}`)).status).toBe(204);
    expect((await ask(token, 'GET', `/Groups/${id}`)).status).toBe(404);
  });
});

describe('the requests of Okta', () => {
  test('manages a user from creation to reactivation', async () => {
    const { token, organizationId, domain } = own;
    const userName = `test.user@${domain}`;
    const query = `filter=${encodeURIComponent(`userName eq "${userName}"`)}&startIndex=1&count=100`;
    expect((await ask(token, 'GET', `/Users?${query}`)).body.totalResults).toBe(0);
    const body = {
      schemas: [USER],
      userName,
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    };
    const made = await ask(token, 'POST', '/Users', body);
    expect(made).toMatchObject({ status: 201, body: { displayName: 'Test User', active: true } });
    expect(made.body).not.toHaveProperty('password');
    const { id } = made.body;
    const replaced = await ask(token, 'PUT', `/Users/${id}`, {
      ...body,
      id,
      name: { givenName: 'Another', familyName: 'User' },
      meta: { resourceType: 'User' },
    });
    expect(replaced).toMatchObject({ status: 200, body: { name: { givenName: 'Another' }, active: true } });
    const set = (active: boolean) => ask(token, 'PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active } }));
    expect((await set(false)).body.active).toBe(false);
    expect(await roleOf(organizationId, id)).toBeNull();
    expect((await set(true)).body.active).toBe(true);
    expect(await roleOf(organizationId, id)).toBe('viewer');
  });

  test('a group is pushed, renamed, and its members changed', async () => {
    const { token } = own;
    const [one, two] = [await newUser(), await newUser()];
    const id = await newGroup('Test SCIMv2', [one.id]);
    const renamed = await ask(
      token,
      'PATCH',
      `/Groups/${id}`,
      patch({ op: 'replace', value: { id, displayName: 'Test SCIMv2 renamed' } }),
    );
    expect(renamed.body.displayName).toBe('Test SCIMv2 renamed');
    const changed = await ask(
      token,
      'PATCH',
      `/Groups/${id}`,
      patch(
        { op: 'remove', path: `members[value eq "${one.id}"]` },
        { op: 'add', path: 'members', value: [{ value: two.id, display: two.address }] },
      ),
    );
    expect(changed.body.members).toMatchObject([{ value: two.id }]);
    const replaced = await ask(token, 'PUT', `/Groups/${id}`, {
      schemas: [GROUP],
      id,
      displayName: 'Test SCIMv2 renamed',
      members: [{ value: one.id }, { value: two.id }],
    });
    expect(replaced.body.members).toHaveLength(2);
    expect((await ask(token, 'GET', '/Groups?startIndex=1&count=100')).body).toMatchObject({ totalResults: 1 });
  });
});

describe('a deactivated user', () => {
  test('loses provider sessions and keys at once, with audit rows', async () => {
    const { organizationId, token } = own;
    const { id } = await newMember(own, 'admin');
    const expiresAt = new Date(Date.now() + 3_600_000);
    await installation.database.session.create({
      data: { id: newId(), token: newId(), userId: id, expiresAt, ssoOrganizationId: organizationId },
    });
    const actor: Actor = { type: 'user', id, label: 'admin', source: 'web' };
    const { apiKey } = await inTenant(installation.database, organizationId, (tx) =>
      createApiKey(
        { tx, organizationId, actor, now: new Date() },
        { name: 'deploy', role: 'viewer', isReadOnly: false, lifetimeDays: null },
      ),
    );
    expect(
      (await ask(token, 'PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'active', value: false }))).status,
    ).toBe(200);
    expect(await installation.database.session.count({ where: { userId: id } })).toBe(0);
    expect(await installation.database.apiKey.findUniqueOrThrow({ where: { id: apiKey.id } })).toMatchObject({
      revokedAt: expect.any(Date),
    });
    const actions = (await actionsOf(organizationId)).slice(1);
    expect(actions.map(({ action }) => action)).toEqual(['scim-user.update', 'api-key.revoke', 'member.deprovision']);
    expect(actions[0]).toMatchObject({ actorLabel: expect.stringContaining('SCIM token psk_scim_'), source: 'api' });
  });

  test('stays out until invited again if a person removed them', async () => {
    const { organizationId, token } = own;
    const { id, address } = await newUser();
    await own.run((scope) => removeMember(scope, { userId: id }));
    expect((await ask(token, 'GET', `/Users/${id}`)).body.active).toBe(false);
    const activate = () => ask(token, 'PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'active', value: true }));
    expect(await activate()).toMatchObject({ status: 403, body: { detail: expect.stringContaining('removed') } });
    // Neither by deleting and creating them, nor through a group.
    expect((await ask(token, 'DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await ask(token, 'POST', '/Users', newUserBody(address))).status).toBe(403);
    const inactive = await ask(token, 'POST', '/Users', { ...newUserBody(address), active: false });
    expect(inactive).toMatchObject({ status: 201, body: { id, active: false } });
    await newGroup('Everyone', [id]);
    expect(await roleOf(organizationId, id)).toBeNull();

    await installation.database.invitation.create({
      data: {
        id: newId(),
        organizationId,
        email: address,
        role: 'viewer',
        status: 'pending',
        expiresAt: new Date(Date.now() + 60_000),
        inviterId: own.ownerId,
      },
    });
    expect((await activate()).status).toBe(200);
    expect(await roleOf(organizationId, id)).toBe('viewer');
  });

  test('ignores a body that does not say who is active', async () => {
    const { id, address } = await newUser();
    await ask(own.token, 'PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'active', value: false }));
    const { active: _active, ...body } = newUserBody(address);
    expect((await ask(own.token, 'PUT', `/Users/${id}`, body)).body.active).toBe(false);
  });

  test('an owner can be removed only while another remains', async () => {
    const { token, organizationId, domain, ownerId } = own;
    await installation.database.user.update({ where: { id: ownerId }, data: { email: `owner@${domain}` } });
    const second = await newMember(own, 'owner');
    expect((await ask(token, 'DELETE', `/Users/${second.id}`)).status).toBe(204);
    const attempts = [
      await ask(token, 'DELETE', `/Users/${ownerId}`),
      await ask(token, 'PATCH', `/Users/${ownerId}`, patch({ op: 'replace', value: { active: false } })),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([403, 403]);
    expect(attempts[0]?.body.detail).toContain('only owner');
    expect(await roleOf(organizationId, ownerId)).toBe('owner');
    expect((await ask(token, 'GET', `/Users/${ownerId}`)).body.active).toBe(true);
  });
});

describe('groups and roles', () => {
  // Mapped by name or external id.
  test('a mapped group grants its role until the user leaves it', async () => {
    const { token, organizationId } = own;
    await mapGroups(organizationId, [
      { group: 'Admins', role: 'admin' },
      { group: 'object-id', role: 'operator' },
    ]);
    const { id } = await newUser();
    const admins = await newGroup('Admins', [id]);
    expect(await roleOf(organizationId, id)).toBe('admin');
    await ask(token, 'PATCH', `/Groups/${admins}`, patch({ op: 'replace', path: 'displayName', value: 'Others' }));
    await ask(token, 'PATCH', `/Groups/${admins}`, patch({ op: 'add', path: 'externalId', value: 'object-id' }));
    expect(await roleOf(organizationId, id)).toBe('operator');
    await ask(token, 'PATCH', `/Groups/${admins}`, patch({ op: 'remove', path: `members[value eq "${id}"]` }));
    expect(await roleOf(organizationId, id)).toBe('viewer');
  });

  test('a required group keeps everyone else out, except owners', async () => {
    const { organizationId } = own;
    await mapGroups(organizationId, [{ group: 'Staff', role: 'viewer' }], true);
    const staff = await newGroup('Staff');
    const { id } = await newUser();
    expect(await roleOf(organizationId, id)).toBeNull();
    const add = (value: string) =>
      ask(own.token, 'PATCH', `/Groups/${staff}`, patch({ op: 'add', path: 'members', value: [{ value }] }));
    await add(id);
    expect(await roleOf(organizationId, id)).toBe('viewer');
    const owner = await newMember(own, 'owner');
    await add(owner.id);
    await ask(own.token, 'PATCH', `/Groups/${staff}`, patch({ op: 'replace', path: 'members', value: [] }));
    expect(await roleOf(organizationId, id)).toBeNull();
    expect(await roleOf(organizationId, owner.id)).toBe('owner');
    await add(id);
    await ask(own.token, 'DELETE', `/Groups/${staff}`);
    // No mapped group is provisioned now, so groups decide nothing.
    expect(await roleOf(organizationId, id)).toBe('viewer');
  });
});

describe('attacks', () => {
  test('users and groups of another organization do not exist', async () => {
    const victim = await newUser(other);
    const group = await newGroup('Admins', [victim.id], other);
    const { token } = own;
    const off = patch({ op: 'replace', path: 'active', value: false });
    const answers = [
      await ask(token, 'GET', `/Users/${victim.id}`),
      await ask(token, 'PUT', `/Users/${victim.id}`, newUserBody(`x@${own.domain}`)),
      await ask(token, 'PATCH', `/Users/${victim.id}`, off),
      await ask(token, 'DELETE', `/Users/${victim.id}`),
      await ask(token, 'GET', `/Groups/${group}`),
      await ask(token, 'PATCH', `/Groups/${group}`, patch({ op: 'remove', path: 'members' })),
      await ask(token, 'DELETE', `/Groups/${group}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    const added = await ask(token, 'POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Mine',
      members: [{ value: victim.id }],
    });
    expect(added).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    expect((await ask(token, 'GET', `/Users?filter=id eq "${victim.id}"`)).body.totalResults).toBe(0);
    expect(await roleOf(other.organizationId, victim.id)).toBe('viewer');
  });

  test('hides members with addresses outside verified domains', async () => {
    const guest = await newMember(own, 'admin', `${newId()}@elsewhere.example`);
    expect((await ask(own.token, 'GET', `/Users/${guest.id}`)).status).toBe(404);
    expect((await ask(own.token, 'DELETE', `/Users/${guest.id}`)).status).toBe(404);
    const made = await ask(own.token, 'POST', '/Users', newUserBody(guest.email));
    expect(made).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    expect(await roleOf(own.organizationId, guest.id)).toBe('admin');
  });

  test('confines an address to verified domains and its owner', async () => {
    const [ada, bob] = [await newUser(), await newUser()];
    const change = (...operations: object[]) => ask(own.token, 'PATCH', `/Users/${ada.id}`, patch(...operations));
    const foreign = `ada@${other.domain}`;
    expect(
      await change(
        { op: 'replace', path: 'userName', value: foreign },
        { op: 'replace', path: 'emails[type eq "work"].value', value: foreign },
      ),
    ).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    expect(await change({ op: 'replace', path: 'userName', value: bob.address })).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    });
    expect((await ask(own.token, 'POST', '/Users', newUserBody(bob.address.toUpperCase()))).status).toBe(409);
    expect((await ask(own.token, 'GET', `/Users/${ada.id}`)).body.userName).toBe(ada.address);
  });

  test('the filter of a member is compared, never run', async () => {
    const [one, two] = [await newUser(), await newUser()];
    const id = await newGroup('Both', [one.id, two.id]);
    const removed = await ask(
      own.token,
      'PATCH',
      `/Groups/${id}`,
      patch({ op: 'remove', path: 'members', value: [{ value: `${one.id}" or value pr or value eq "` }] }),
    );
    expect(removed.body.members).toHaveLength(2);
  });

  test.each([
    ['members[value eq "x" or value pr]', 'invalidPath'],
    ['members[', 'invalidPath'],
    [`${'('.repeat(300)}a eq "b"`, 'invalidPath'],
    ['__proto__.polluted', 'invalidPath'],
    ['constructor.prototype.polluted', 'invalidPath'],
    ['id', 'mutability'],
    ['unheardOf', 'invalidPath'],
  ])('the path %s is refused', async (path, scimType) => {
    const id = await newGroup('Group');
    const answer = await ask(own.token, 'PATCH', `/Groups/${id}`, patch({ op: 'replace', path, value: 'x' }));
    expect(answer).toMatchObject({ status: 400, body: { scimType, status: '400' } });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test.each([
    'userName co "a"',
    'userName eq "a" or userName pr',
    Array(20).fill('(userName pr or id pr)').join(' and '),
    'password eq "x"',
    '__proto__ eq "x"',
    'userName eq "a',
    '',
  ])('the filter %s is refused', async (filter) => {
    const answer = await ask(own.token, 'GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } });
  });

  test.each([
    ['no JSON', '{', 400],
    ['no object', '[]', 400],
    ['no user name', { schemas: [USER] }, 400],
    ['a user name that is no text', { schemas: [USER], userName: { a: 1 } }, 400],
    ['a NUL', { schemas: [USER], userName: 'a\0b' }, 400],
    ['a lone surrogate', '{"userName":"\\ud800@x.example"}', 400],
    ['more than a megabyte', { schemas: [USER], userName: 'a'.repeat(1024 * 1024) }, 413],
  ])('a body with %s is refused in SCIM’s form', async (_what, body, status) => {
    const answer = await ask(own.token, 'POST', '/Users', body);
    expect(answer).toMatchObject({
      status,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status) },
    });
  });

  test('an owner sees the last error of a failing provider', async () => {
    await ask(own.token, 'POST', '/Users', newUserBody(`ada@${other.domain}`));
    const token = await installation.database.scimToken.findFirstOrThrow({
      where: { organizationId: own.organizationId },
    });
    expect(token.lastError).toMatch(/^POST \/Users: Neither the user name/);
    expect(token.lastUsedAt).not.toBeNull();
  });
});

describe('tokens', () => {
  test('a token that is not valid now opens nothing', async () => {
    const { organizationId, token } = own;
    const list = async (text = token) => (await ask(text, 'GET', '/Users')).status;
    expect(await list()).toBe(200);
    expect(await list(`${token}x`)).toBe(401);
    const set = (data: object) => installation.database.scimToken.updateMany({ where: { organizationId }, data });
    await set({ revokedAt: new Date() });
    expect(await list()).toBe(401);
    await set({ revokedAt: null, expiresAt: new Date(Date.now() - 1) });
    expect(await list()).toBe(401);
    await set({ expiresAt: new Date(Date.now() + 60_000) });
    await installation.database.organization.update({
      where: { id: organizationId },
      data: { deletedAt: new Date() },
    });
    expect(await list()).toBe(401);
  });

  test('are stored hashed, and an old one overlaps with a new one', async () => {
    const before = new Date();
    const { plaintext } = await own.run((scope) => createScimToken(scope, { lifetimeDays: 30, overlapHours: 1 }));
    const rows = await installation.database.scimToken.findMany({
      where: { organizationId: own.organizationId },
      orderBy: { createdAt: 'asc' },
    });
    expect(JSON.stringify(rows)).not.toContain(plaintext.slice(9, -11));
    expect(rows[0]?.expiresAt.getTime()).toBeLessThan(before.getTime() + 2 * 3_600_000);
    expect((await ask(own.token, 'GET', '/Users')).status).toBe(200);
    expect((await ask(plaintext, 'GET', '/Users')).status).toBe(200);
  });

  test('requests are limited per token, and the limit is reported', async () => {
    const backend = installation.backend({ apiRequestsPerMinute: 2 });
    const request = {
      method: 'GET',
      url: '/scim/v2/Users',
      headers: new Headers({ authorization: `Bearer ${own.token}` }),
      body: null,
    };
    const statuses: number[] = [];
    for (let at = 0; at < 3; at += 1) {
      statuses.push((await handleScim(backend, request)).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});

test('the endpoint describes itself', async () => {
  const { token } = own;
  expect((await ask(token, 'GET', '/ServiceProviderConfig')).body).toMatchObject({ patch: { supported: true } });
  expect((await ask(token, 'GET', '/ResourceTypes')).body).toMatchObject({ totalResults: 2 });
  expect((await ask(token, 'GET', '/ResourceTypes/User')).body).toMatchObject({ id: 'User', endpoint: '/Users' });
  expect((await ask(token, 'GET', '/Schemas')).body).toMatchObject({ totalResults: 2 });
  expect((await ask(token, 'GET', `/Schemas/${GROUP}`)).body).toMatchObject({ id: GROUP, name: 'Group' });
  expect((await ask(token, 'GET', '/Nothing')).status).toBe(404);
  expect((await ask(token, 'POST', '/Schemas')).status).toBe(405);
});

test('a list comes in pages', async () => {
  for (let at = 0; at < 3; at += 1) {
    await newUser();
  }
  const page = async (query: string) => (await ask(own.token, 'GET', `/Users?${query}`)).body;
  expect(await page('startIndex=2&count=1')).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 });
  expect(await page('count=0')).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
  expect(await page('startIndex=-1&count=500')).toMatchObject({ startIndex: 1, itemsPerPage: 3 });
  expect((await page('count=many')).scimType).toBe('invalidValue');
});
