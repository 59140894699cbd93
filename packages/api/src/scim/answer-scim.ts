// SCIM 2.0 (RFC 7643, 7644): an organization's identity provider creates, changes and ends its members and groups.
import * as identity from '@penstock/identity';
import { isStorable } from '@penstock/platform';
import { type Actor, inTenant, inTransaction, type OrganizationScope, type Scope } from '@penstock/tenancy';
import type { Backend } from '../backend.ts';
import { answerScimCall, type OpenCall } from '../rest/answer-call.ts';
import type { RestRequest, RestResponse } from '../rest/exchange.ts';
import { readJson } from '../rest/read-json.ts';
import { MAX_RESULTS, resourceTypes, schemas, serviceProviderConfig } from './discovery.ts';
import { type Comparison, invalidFilter, parseFilter } from './filter.ts';
import { patchGroup, readGroup, renderGroup } from './group-document.ts';
import { patchOperationsOf } from './patch-operations.ts';
import { describeScimError, SCIM_CONTENT_TYPE, ScimRefusal, scimErrorResponse } from './scim-error.ts';
import { patchUser, readUser, renderUser } from './user-document.ts';

/** Where SCIM is mounted. */
export const SCIM_BASE = '/scim/v2';

/** A list of all members of a large group fits. */
const bodyRules = { maxBytes: 1024 * 1024, types: [SCIM_CONTENT_TYPE, 'application/json'] } as const;
/** A group of thousands of people takes longer than other changes. */
const CHANGE_TIMEOUT_MS = 30_000;

interface ScimCall {
  backend: Backend;
  principal: identity.ScimPrincipal;
  request: RestRequest;
  query: URLSearchParams;
  now: Date;
  /** The URL of our endpoint. */
  base: string;
}

/** Answers a request to any path below `SCIM_BASE`. Never throws. */
export function handleScim(backend: Backend, request: RestRequest): Promise<RestResponse> {
  const refuse = (error: unknown): RestResponse => scimErrorResponse(describeScimError(error, backend.logger));
  const work = async (open: OpenCall, principal: identity.ScimPrincipal): Promise<RestResponse> => {
    const { query, now } = open;
    const call: ScimCall = { backend, principal, request, query, now, base: `${backend.webUrl}${SCIM_BASE}` };
    try {
      return await answer(call, segmentsOf(open.path));
    } catch (error) {
      const described = describeScimError(error, backend.logger);
      // Providers ask for users to see whether they exist.
      if (described.status !== 404) {
        const text = `${request.method} ${open.path.slice(SCIM_BASE.length, 100)}: ${described.detail}`;
        await identity.noteScimError(backend.accounts, principal, text, now);
      }
      return scimErrorResponse(described);
    }
  };
  return answerScimCall(backend, request, work, refuse);
}

/** @throws ScimRefusal 404 for what can't be an id */
function segmentsOf(path: string): string[] {
  const encoded = path.slice(SCIM_BASE.length).split('/');
  const segments = encoded.filter((segment) => segment !== '');
  if (segments.some((segment) => !/^[\w:.-]+$/.test(segment))) {
    throw notFound();
  }
  return segments;
}

function notFound(): ScimRefusal {
  return new ScimRefusal(404, null, 'This path doesn’t exist.');
}

function answer(
  call: ScimCall,
  [collection = '', id, ...rest]: readonly string[],
): Promise<RestResponse> | RestResponse {
  if (rest.length > 0) {
    throw notFound();
  }
  const { base } = call;
  switch (collection) {
    case 'Users':
      return id === undefined ? answerUsers(call) : answerUser(call, id);
    case 'Groups':
      return id === undefined ? answerGroups(call) : answerGroup(call, id);
    case 'ServiceProviderConfig':
      return answerDocuments(call, id === undefined ? null : 'none', [
        { id: '', ...serviceProviderConfig(base, `${call.backend.webUrl}/docs/organization`) },
      ]);
    case 'ResourceTypes':
      return answerDocuments(call, id, resourceTypes(base));
    case 'Schemas':
      return answerDocuments(call, id, schemas(base));
    default:
      throw notFound();
  }
}

/** @param id undefined for the list, null for a document that is the only one */
function answerDocuments(
  { request }: ScimCall,
  id: string | null | undefined,
  documents: readonly { id: string }[],
): RestResponse {
  requireMethod(request, ['GET']);
  if (id === undefined) {
    return send(200, listOf(documents, { total: documents.length, startIndex: 1 }));
  }
  const found = id === null ? documents[0] : documents.find((document) => document.id === id);
  if (found === undefined) {
    throw notFound();
  }
  const { id: own, ...document } = found;
  return send(200, id === null ? document : { id: own, ...document });
}

/** @returns the method; GET for HEAD, whose body the server omits */
function requireMethod({ method }: RestRequest, allowed: readonly string[]): string {
  const wanted = method === 'HEAD' ? 'GET' : method;
  if (!allowed.includes(wanted)) {
    throw new ScimRefusal(405, null, `Use ${allowed.join(', ')} for this path.`);
  }
  return wanted;
}

function send(status: number, document: object | null, headers: Record<string, string> = {}): RestResponse {
  return document === null
    ? { status, headers, body: null }
    : { status, headers: { 'content-type': SCIM_CONTENT_TYPE, ...headers }, body: JSON.stringify(document) };
}

function listOf(resources: readonly object[], { total, startIndex }: { total: number; startIndex: number }): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

/** The response for a new resource. */
function created(document: Record<string, unknown>, location: string): RestResponse {
  return send(201, document, { location });
}

const DEFAULT_COUNT = 100;

function pageOf(query: URLSearchParams): { offset: number; limit: number } {
  const numberOf = (name: string, byDefault: number): number => {
    const text = query.get(name);
    if (text === null) {
      return byDefault;
    }
    if (!/^-?\d{1,9}$/.test(text)) {
      throw new ScimRefusal(400, 'invalidValue', `${name} must be a whole number.`);
    }
    return Number(text);
  };
  // RFC 7644 (section 3.4.2.4): indexes start at 1, and what is too small counts as the smallest.
  return {
    offset: Math.max(1, numberOf('startIndex', 1)) - 1,
    limit: Math.min(MAX_RESULTS, Math.max(0, numberOf('count', DEFAULT_COUNT))),
  };
}

function filterOf<Name extends string>(
  query: URLSearchParams,
  names: Readonly<Record<string, Name>>,
): Partial<Record<Name, string>> {
  const text = query.get('filter');
  const comparisons: Comparison[] = text === null ? [] : parseFilter(text);
  const filter: Partial<Record<Name, string>> = {};
  for (const { attribute, value } of comparisons) {
    const name = Object.hasOwn(names, attribute) ? names[attribute] : undefined;
    if (name === undefined || filter[name] !== undefined || !isStorable(value)) {
      throw invalidFilter();
    }
    filter[name] = value;
  }
  return filter;
}

/** Leaves out what the parameters `attributes` and `excludedAttributes` exclude (RFC 7644, section 3.9). */
function selected(document: Record<string, unknown>, query: URLSearchParams): Record<string, unknown> {
  const namesIn = (name: string): Set<string> | null => {
    const text = query.get(name);
    return text === null
      ? null
      : new Set(text.split(',').map((attribute) => (attribute.trim().split('.')[0] ?? '').toLowerCase()));
  };
  const wanted = namesIn('attributes');
  const excluded = namesIn('excludedAttributes');
  const isKept = (name: string): boolean =>
    name === 'id' || name === 'schemas' || (wanted === null ? excluded?.has(name) !== true : wanted.has(name));
  return Object.fromEntries(Object.entries(document).filter(([name]) => isKept(name.toLowerCase())));
}

/** Reads in a transaction that the database limits to the organization. */
function read<T>({ backend, principal }: ScimCall, work: (scope: OrganizationScope) => Promise<T>): Promise<T> {
  const { organizationId } = principal;
  return inTenant(backend.database, organizationId, (tx) => work({ tx, organizationId }));
}

/** Accounts belong to no organization, so changes work across them, as a sign-in does. */
function change<T>({ backend, principal, now }: ScimCall, work: (scope: Scope) => Promise<T>): Promise<T> {
  const { organizationId, tokenId, label } = principal;
  const actor: Actor = { type: 'system', id: tokenId, label, source: 'api' };
  return inTransaction(backend.accounts, (tx) => work({ tx, organizationId, actor, now }), CHANGE_TIMEOUT_MS);
}

const bodyOf = ({ request }: ScimCall): Promise<unknown> => readJson(request, bodyRules);

const userAttributes = {
  id: 'id',
  username: 'userName',
  externalid: 'externalId',
  emails: 'address',
  'emails.value': 'address',
} as const;

async function answerUsers(call: ScimCall): Promise<RestResponse> {
  const { request, query, base } = call;
  if (requireMethod(request, ['GET', 'POST']) === 'GET') {
    const page = pageOf(query);
    const filter = filterOf(query, userAttributes);
    const { total, users } = await read(call, (scope) => identity.listScimUsers(scope, filter, page));
    const documents = users.map((user) => selected(renderUser(user, base), query));
    return send(200, listOf(documents, { total, startIndex: page.offset + 1 }));
  }
  const facts = readUser(await bodyOf(call), { isActive: true });
  const user = await change(call, (scope) => identity.createScimUser(scope, facts));
  return created(selected(renderUser(user, base), query), `${base}/Users/${user.id}`);
}

async function answerUser(call: ScimCall, id: string): Promise<RestResponse> {
  const { request, query, base } = call;
  const answerWith = (user: identity.ScimUser) => send(200, selected(renderUser(user, base), query));
  switch (requireMethod(request, ['GET', 'PUT', 'PATCH', 'DELETE'])) {
    case 'GET':
      return answerWith(await read(call, (scope) => identity.getScimUser(scope, id)));
    case 'PUT': {
      const body = await bodyOf(call);
      // A body that doesn't say whether the person is active must not let them in again.
      return answerWith(
        await change(call, (scope) => identity.updateScimUser(scope, id, (user) => readUser(body, user))),
      );
    }
    case 'PATCH': {
      const operations = patchOperationsOf(await bodyOf(call));
      return answerWith(
        await change(call, (scope) => identity.updateScimUser(scope, id, (user) => patchUser(user, operations))),
      );
    }
    default:
      await change(call, (scope) => identity.deleteScimUser(scope, id));
      return send(204, null);
  }
}

const groupAttributes = {
  id: 'id',
  displayname: 'displayName',
  externalid: 'externalId',
  members: 'memberId',
  'members.value': 'memberId',
} as const;

async function answerGroups(call: ScimCall): Promise<RestResponse> {
  const { request, query, base } = call;
  if (requireMethod(request, ['GET', 'POST']) === 'GET') {
    const page = pageOf(query);
    const filter = filterOf(query, groupAttributes);
    const { total, groups } = await read(call, (scope) => identity.listScimGroups(scope, filter, page));
    const documents = groups.map((group) => selected(renderGroup(group, base), query));
    return send(200, listOf(documents, { total, startIndex: page.offset + 1 }));
  }
  const facts = readGroup(await bodyOf(call));
  const group = await change(call, (scope) => identity.createScimGroup(scope, facts));
  return created(selected(renderGroup(group, base), query), `${base}/Groups/${group.id}`);
}

async function answerGroup(call: ScimCall, id: string): Promise<RestResponse> {
  const { request, query, base } = call;
  const answerWith = (group: identity.ScimGroup) => send(200, selected(renderGroup(group, base), query));
  switch (requireMethod(request, ['GET', 'PUT', 'PATCH', 'DELETE'])) {
    case 'GET':
      return answerWith(await read(call, (scope) => identity.getScimGroup(scope, id)));
    case 'PUT': {
      const facts = readGroup(await bodyOf(call));
      return answerWith(await change(call, (scope) => identity.updateScimGroup(scope, id, () => facts)));
    }
    case 'PATCH': {
      const operations = patchOperationsOf(await bodyOf(call));
      return answerWith(
        await change(call, (scope) => identity.updateScimGroup(scope, id, (group) => patchGroup(group, operations))),
      );
    }
    default:
      await change(call, (scope) => identity.deleteScimGroup(scope, id));
      return send(204, null);
  }
}
