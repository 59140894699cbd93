// Generated requests to every route of the public API: paths, queries, cursors, headers and bodies. Whatever comes, callers get
// an answer or a refusal, never a 500.
import type { AuthSession } from '@penstock/identity';
import { generateApiKey, newId } from '@penstock/platform';
import { bentJson, hostileText, hostileValue, runFuzz } from '@penstock/testing/fuzz';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Backend } from '../backend.ts';
import type { Route } from '../operation/route.ts';
import { operationsByPath } from '../operations-by-path.ts';
import { handleRest } from '../public-api.ts';
import { arbitraryInput } from '../testing/arbitrary-input.ts';
import { setUpInstallation } from '../testing/installation.ts';
import { newTarget, type Target } from '../testing/new-target.ts';
import { populatedMetadata } from '../testing/populated-metadata.ts';
import { sampleInput } from '../testing/sample-input.ts';
import { inputsOf, pathNames } from './route-input.ts';
import { routes } from './routes.ts';

const installation = setUpInstallation();
let backend: Backend;
let organizationId: string;
let otherOrganizationId: string;
let owner: AuthSession;
let key: string;
let target: Target;
/** Defects that the last call logged. */
let defects: unknown[] = [];

beforeAll(async () => {
  organizationId = await installation.newOrganization();
  otherOrganizationId = await installation.newOrganization();
  backend = installation.backend({ metadata: populatedMetadata });
  const { logger } = backend;
  logger.error = (...given: unknown[]) => void defects.push(given);
});

/** Whether a call has changed what the target has. Creating it takes most of a call's time. */
let isChanged = true;
let kind = '';

async function prepare(route: Route): Promise<void> {
  const access = operationsByPath.get(route.procedure)?.access ?? 'anyone';
  const wanted = `${access} ${route.procedure === 'cluster.restore'}`;
  if (!isChanged && wanted === kind) {
    return;
  }
  owner = await installation.newPerson({ organizationId, role: 'owner' });
  await installation.database.apiKey.deleteMany({ where: { organizationId } });
  const { plaintext, hash, display } = generateApiKey();
  const displayed = { displayPrefix: display.prefix, displayLast4: display.last4 };
  await installation.database.apiKey.create({
    data: { id: newId(), organizationId, name: 'test', role: 'owner', hash, createdBy: owner.user.id, ...displayed },
  });
  key = plaintext;
  const operation = { access, path: route.procedure };
  target = await newTarget(installation, operation, { organizationId, otherOrganizationId, owner });
  isChanged = false;
  kind = wanted;
}

/** Inputs as a caller has them: numbers and times in JSON's forms. */
function goodInputs(route: Route, made: Target): Record<string, unknown> {
  const operation = operationsByPath.get(route.procedure);
  if (operation === undefined) {
    throw new Error(`${route.id} has no operation.`);
  }
  const { name = 'greetings', ...example } = { ...route.example };
  const objects = { ...made, name: route.path.includes('{name}') ? 'greetings' : name };
  const input = sampleInput({ ...operation, input: inputsOf(route).all, example }, objects);
  return JSON.parse(JSON.stringify(input)) as Record<string, unknown>;
}

interface Sent {
  /** Encoded, in the order of the path. */
  segments: readonly string[];
  query: string;
  body: string | Uint8Array | null;
  headers: Readonly<Record<string, string>>;
}

async function send(route: Route, { segments, query, body, headers }: Sent): Promise<{ status: number; why: string }> {
  let index = 0;
  const path = route.path.replaceAll(/\{\w+\}/g, () => segments[index++] ?? '');
  const known: Readonly<Record<string, string>> = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...headers,
  };
  defects = [];
  const answer = await handleRest(backend, {
    method: route.method.toUpperCase(),
    url: `/api/v1${path}${query === '' ? '' : `?${query}`}`,
    headers: { get: (name) => known[name.toLowerCase()] ?? null },
    body: body === null ? null : iterate(Buffer.from(body)),
  });
  if (answer.body !== null && typeof answer.body === 'object' && Symbol.asyncIterator in answer.body) {
    for await (const piece of answer.body) {
      expect(typeof piece).toBe('string');
    }
  }
  isChanged ||= answer.status >= 500 || (route.method !== 'get' && answer.status < 400);
  return { status: answer.status, why: defects.map((defect) => JSON.stringify(defect, serializable)).join('\n') };
}

const serializable = (_name: string, value: unknown): unknown =>
  value instanceof Error ? { message: value.message, stack: value.stack } : value;

async function* iterate(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** The request that carries these inputs. */
function requestOf(route: Route, inputs: Readonly<Record<string, unknown>>): Sent {
  const inPath = pathNames(route.path);
  const others = Object.entries(inputs).filter(([name]) => !inPath.includes(name));
  const hasBody = inputsOf(route).body !== null;
  return {
    segments: inPath.map((name) => encodeURIComponent(textOf(inputs[name]).toWellFormed())),
    query: hasBody ? '' : queryOf(others),
    body: hasBody ? JSON.stringify(Object.fromEntries(others)) : null,
    headers: {},
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function queryOf(entries: readonly (readonly [string, unknown])[]): string {
  const pairs = entries.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, string] => [name, textOf(item)]),
  );
  return new URLSearchParams(pairs).toString();
}

describe.each(routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
  '%s',
  (_, route) => {
    test('refuses text that PostgreSQL cannot store', async () => {
      const found: string[] = [];
      for (const name of Object.keys(inputsOf(route).all.shape)) {
        for (const text of ['a\0b', '\ud800']) {
          await prepare(route);
          const { status, why } = await send(route, requestOf(route, { ...goodInputs(route, target), [name]: text }));
          if (status >= 500) {
            found.push(`${name} = ${JSON.stringify(text)}: ${why}`);
          }
        }
      }
      expect(found).toEqual([]);
    });
  },
);

function routeOf(id: string): Route {
  const route = routes.find((known) => known.id === id);
  if (route === undefined) {
    throw new Error(`There is no route ${id}.`);
  }
  return route;
}

const rawSegments = fc.constantFrom('%', '%zz', '%00', '%ED%A0%80', '%2e%2e', '..', '-', 'a%2Fb', '%F0%9F%98%80', '');

const headersOfCalls = fc.dictionary(
  fc.constantFrom('idempotency-key', 'if-match', 'if-none-match', 'x-request-id', 'content-type', 'x-forwarded-for'),
  // What a parser of HTTP lets through.
  fc
    .oneof(hostileText(300), fc.uuid(), fc.constantFrom('*', '"x"', 'W/"x"', '"x", "y"'))
    .map((text) => text.replaceAll(/[^ -~\xa0-\xff]/g, 'x')),
  { maxKeys: 2 },
);

/** Cursors that name their list, with keys of any kind. */
function arbitraryCursor({ id }: Route): fc.Arbitrary<string> {
  const element = fc.oneof(fc.uuid(), hostileText(300), hostileValue, fc.nat().map(String));
  return fc
    .array(element, { maxLength: 4 })
    .map((elements) => Buffer.from(JSON.stringify([id, ...elements])).toString('base64url'));
}

const placeholders: Target = {
  clusterId: newId(),
  clusterName: 'placeholder',
  agentKeyId: newId(),
  apiKeyId: newId(),
  organizationId: newId(),
  userId: newId(),
  invitationId: newId(),
  token: newId(),
  silenceId: newId(),
  invoiceId: newId(),
  invoice: newId(),
  domainId: newId(),
  tokenId: newId(),
  sessionId: newId(),
};

test('every route answers or refuses generated requests', async () => {
  const calls = fc.constantFrom(...routes).chain((route) => {
    const first = goodInputs(route, placeholders);
    const { all, body } = inputsOf(route);
    const count = pathNames(route.path).length;
    const cursor = 'cursor' in all.shape ? fc.option(arbitraryCursor(route)) : fc.constant(null);
    return fc.record({
      id: fc.constant(route.id),
      first: fc.constant(first),
      inputs: arbitraryInput(all.shape, first),
      cursor,
      headers: headersOfCalls,
      rawBody:
        body === null
          ? fc.constant(null)
          : fc.option(
              bentJson(first).map((json) => JSON.stringify(json)),
              { freq: 3 },
            ),
      rawSegments: fc.option(fc.array(rawSegments, { minLength: count, maxLength: count }), { freq: 6 }),
    });
  });
  const property = fc.asyncProperty(calls, async ({ id, first, inputs, cursor, headers, rawBody, rawSegments }) => {
    const route = routeOf(id);
    await prepare(route);
    const good = goodInputs(route, target);
    const given = Object.entries(inputs).map(([name, value]) => [name, value === first[name] ? good[name] : value]);
    const request = requestOf(route, { ...Object.fromEntries(given), ...(cursor === null ? {} : { cursor }) });
    const { status, why } = await send(route, {
      ...request,
      headers,
      body: rawBody ?? request.body,
      segments: rawSegments ?? request.segments,
    });
    expect({ isDefect: status >= 500 && status !== 503, why }).toEqual({ isDefect: false, why: '' });
  });
  await runFuzz('rest', 'routes', 200, property);
});
