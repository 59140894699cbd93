// Derives a route's input from its operation: what goes into the path, the query and the body. Unknown inputs are
// refused.
import { z } from 'zod';
import type { Route } from '../operation/route.ts';

export interface RouteInputs {
  path: z.ZodObject;
  /** The path parameters, in order. */
  pathNames: readonly string[];
  query: z.ZodObject;
  /** Null if the operation has no body. */
  body: z.ZodObject | null;
  /** All inputs; an unknown one is an error. */
  all: z.ZodObject;
  /** The names of the inputs that the operation has. */
  ofOperation: ReadonlySet<string>;
}

const known = new WeakMap<Route, RouteInputs>();

/** The place of an input, as problem details name it. */
export function pointerOf(route: Route, field: string): string {
  const { path, body } = inputsOf(route);
  if (field in path.shape) {
    return `/{${field}}`;
  }
  return body === null ? `?${field}` : `#/${field}`;
}

export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

/** Which page of a list. */
function pageInput({ order }: Route): Record<string, z.core.$ZodType> {
  return order === undefined ? {} : { cursor: order.cursor.schema, limit: z.int().min(1).max(100).default(50) };
}

export function inputsOf(route: Route): RouteInputs {
  const found = known.get(route);
  if (found !== undefined) {
    return found;
  }
  const whole = wholeInput(route);
  const names = pathNames(route.path);
  const inPath = new Set(names);
  const of = (isWanted: (name: string) => boolean) =>
    z.strictObject(Object.fromEntries(Object.entries(whole.shape).filter(([name]) => isWanted(name))));
  const hasBody = route.method === 'post' || route.method === 'patch';
  const path = of((name) => inPath.has(name));
  const rest = of((name) => !inPath.has(name));
  const body = hasBody && Object.keys(rest.shape).length > 0 ? rest : null;
  const ofOperation = new Set(Object.keys(ownInput(route)));
  const query = hasBody ? z.strictObject({}) : rest;
  const inputs = { path, pathNames: names, query, body, all: whole, ofOperation };
  known.set(route, inputs);
  return inputs;
}

function wholeInput(route: Route): z.ZodObject {
  const own = ownInput(route);
  for (const name of Object.keys(route.fixed ?? {})) {
    delete own[name];
  }
  const extra = route.extra?.shape ?? {};
  const whole = z.strictObject({ ...own, ...extra, ...pageInput(route) });
  for (const name of pathNames(route.path)) {
    if (!(name in whole.shape)) {
      throw new Error(`${route.id}: {${name}} is no input of ${route.procedure}.`);
    }
  }
  return whole;
}

/** Makes nested objects as strict as the input itself. One that is strict already keeps its own error. */
function strict(schema: z.core.$ZodType): z.core.$ZodType {
  const isLoose = schema instanceof z.ZodObject && schema.def.catchall === undefined;
  return isLoose ? z.strictObject(schema.shape) : schema;
}

function ownInput({ input }: Route): Record<string, z.core.$ZodType> {
  return Object.fromEntries(Object.entries(input?.shape ?? {}).map(([name, schema]) => [name, strict(schema)]));
}

/** The operation's input: without the route's own inputs, and with the route's fixed values. */
export function operationInputOf(route: Route, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { ofOperation } = inputsOf(route);
  const given = Object.entries({ ...input, ...route.fixed }).filter(([name]) => ofOperation.has(name));
  return Object.fromEntries(given);
}
