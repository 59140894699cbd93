// The public API: finds the route, reads its input, calls its procedure and responds in JSON.
import type { Slice } from '@penstock/tenancy';
import { callTRPCProcedure } from '@trpc/server';
import { z } from 'zod';
import { appRouter } from '../app-router.ts';
import type { Backend } from '../backend.ts';
import type { CursorKey } from '../operation/cursor.ts';
import type { Route, RouteInput } from '../operation/route.ts';
import { beginFile } from '../operation/streamed-file.ts';
import type { ApiContext } from '../trpc/context.ts';
import { answerCall, answerOpenCall, type Call, type OpenCall } from './answer-call.ts';
import { aroundChange } from './around-change.ts';
import { encodeJson, etagOf, isAmong } from './encode.ts';
import { type RestRequest, type RestResponse, targetOf } from './exchange.ts';
import { HttpRefusal } from './problem.ts';
import { readInput } from './read-input.ts';
import { operationInputOf, pointerOf } from './route-input.ts';
import { routes } from './routes.ts';

/** Where the API is mounted. */
export const API_BASE = '/api/v1';

interface CompiledRoute {
  route: Route;
  pattern: RegExp;
}

/**
 * Groups routes by what all matching paths share: the number of segments, and the first segment, which is never a
 * parameter. A literal segment takes precedence over a parameter.
 */
const compiled: ReadonlyMap<string, readonly CompiledRoute[]> = Map.groupBy(
  routes
    .map((route) => ({ route, pattern: new RegExp(`^${API_BASE}${route.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`) }))
    .sort((one, other) => braces(one.route) - braces(other.route)),
  ({ route }) => shapeOf(API_BASE + route.path),
);

function shapeOf(path: string): string {
  const parts = path.slice(API_BASE.length + 1).split('/');
  return `${parts.length} ${parts[0]}`;
}

function braces({ path }: Route): number {
  return path.split('{').length;
}

/** The declared path of a request's route, such as `/clusters/{clusterId}`, for metrics. Undefined if there is none. */
export function restPathOf(method: string, pathname: string): string | undefined {
  try {
    return findRoute(method, pathname).route.path;
  } catch (error) {
    if (error instanceof HttpRefusal) {
      return undefined;
    }
    throw error;
  }
}

function findRoute(method: string, pathname: string): { route: Route; segments: string[] } {
  const methods: string[] = [];
  // The server omits the body.
  const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
  let found: number | undefined;
  for (const { route, pattern } of compiled.get(shapeOf(pathname)) ?? []) {
    const match = pattern.exec(pathname);
    if (match === null) {
      continue;
    }
    // Regardless of the method: a path that matches a literal segment is not a value of another route's parameter.
    found ??= braces(route);
    if (braces(route) > found) {
      break;
    }
    if (route.method === wanted) {
      return { route, segments: match.slice(1) };
    }
    methods.push(route.method.toUpperCase());
  }
  if (methods.length === 0) {
    throw new HttpRefusal(404, 'route_not_found', 'This path doesn’t exist. See /docs/api for all endpoints.');
  }
  throw methodNotAllowed(methods);
}

function methodNotAllowed(methods: readonly string[]): HttpRefusal {
  return new HttpRefusal(405, 'method_not_allowed', `Use ${methods.join(' or ')} for this path.`, {
    headers: { allow: methods.join(', ') },
  });
}

/** An endpoint that needs no key. */
export interface OpenRoute {
  method: 'GET' | 'POST';
  answer(call: OpenCall): Promise<RestResponse> | RestResponse;
}

/** Answers a request to any path below `API_BASE`. @param openRoutes keyed by the path below it */
export function answerRest(
  backend: Backend,
  request: RestRequest,
  openRoutes: ReadonlyMap<string, OpenRoute>,
): Promise<RestResponse> {
  const { path } = targetOf(request);
  const openRoute = openRoutes.get(path.slice(API_BASE.length));
  return openRoute === undefined ? answerWithKey(backend, request) : answerOpen(backend, request, openRoute);
}

function answerOpen(backend: Backend, request: RestRequest, route: OpenRoute): Promise<RestResponse> {
  return answerOpenCall(backend, request, (call) => {
    // The server omits the body of a response to HEAD.
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (method !== route.method) {
      throw methodNotAllowed([route.method]);
    }
    return route.answer(call);
  });
}

function answerWithKey(backend: Backend, request: RestRequest): Promise<RestResponse> {
  let pointer: (field: string) => string = (field) => `#/${field}`;
  return answerCall(
    backend,
    request,
    async (call) => {
      const { route, segments } = findRoute(request.method, call.path);
      pointer = (field) => pointerOf(route, field);
      const input = await readInput(route, segments, request, call.query);
      return answer(route, input, await callProcedure(backend, route, call, input), request);
    },
    (field) => pointer(field),
  );
}

function callProcedure(backend: Backend, route: Route, call: Call, input: RouteInput): Promise<unknown> {
  const ctx: ApiContext = {
    backend,
    session: null,
    // A key belongs to one organization.
    organizationId: null,
    api: { key: call.key, aroundChange: aroundChange(route, call, input), slice: sliceFor(route, input) },
    now: call.now,
    address: call.address,
  };
  const given = operationInputOf(route, input);
  return callTRPCProcedure({
    router: appRouter,
    path: route.procedure,
    getRawInput: async () => given,
    ctx,
    type: route.method === 'get' ? 'query' : 'mutation',
    // A client that disconnects does not cancel its call: what was begun is completed.
    signal: undefined,
    batchIndex: 0,
  });
}

async function answer(route: Route, input: RouteInput, data: unknown, request: RestRequest): Promise<RestResponse> {
  const { answer: form } = route;
  switch (form.kind) {
    case 'none':
      return { status: 204, headers: {}, body: null };
    case 'file': {
      const { fileName, bytes } = form.select(data, input);
      const headers = {
        'content-type': form.contentType,
        'content-disposition': `attachment; filename="${fileName}"`,
      };
      return { status: 200, headers, body: bytes };
    }
    case 'stream': {
      const { headers, pieces } = await beginFile(form.select(data, input));
      return { status: 200, headers, body: pieces };
    }
    case 'one': {
      const answer = form.select(data, input);
      const json = encodeJson(form.schema, answer);
      const object = form.object === form.schema ? json : encodeJson(form.object, answer);
      return jsonResponse(json, form.status, request, etagOf(object));
    }
    case 'page':
      return jsonResponse(encodeJson(pageOf(form.schema), form.select(data, input)), 200, request);
    case 'list':
      return jsonResponse(
        encodeJson(pageOf(form.schema), pageWithin(route, form.select(data, input), Number(input['limit']))),
        200,
        request,
      );
  }
}

const envelopes = new WeakMap<z.ZodType, z.ZodObject>();

/** The envelope of every list. */
export function pageOf(item: z.ZodType): z.ZodObject {
  const known = envelopes.get(item);
  if (known !== undefined) {
    return known;
  }
  const envelope = z.object({
    items: z.array(item),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Pass it as `cursor` to get the next page. Null on the last page.' }),
  });
  envelopes.set(item, envelope);
  return envelope;
}

/** The slice that the operation reads for a page: one item more than it has, to know whether another page follows. */
function sliceFor({ order }: Route, { cursor, limit }: RouteInput): Slice<CursorKey> | undefined {
  // The schema of the route's input has read both.
  return order === undefined ? undefined : { after: cursor as CursorKey | undefined, limit: Number(limit) + 1 };
}

function pageWithin(
  { order }: Route,
  items: unknown[],
  limit: number,
): { items: unknown[]; nextCursor: string | null } {
  const page = items.slice(0, limit);
  const last = page.at(-1);
  const isEnd = items.length <= limit || last === undefined || order === undefined;
  return { items: page, nextCursor: isEnd ? null : order.cursor.encode(order.keyOf(last)) };
}

function jsonResponse(json: string, status: number, request: RestRequest, etag = etagOf(json)): RestResponse {
  const ifNoneMatch = request.headers.get('if-none-match');
  if (request.method === 'GET' && ifNoneMatch !== null && isAmong(ifNoneMatch.replaceAll('W/', ''), etag)) {
    return { status: 304, headers: { etag }, body: null };
  }
  return { status, headers: { 'content-type': 'application/json', etag }, body: json };
}
