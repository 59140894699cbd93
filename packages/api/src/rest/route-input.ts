// What a route takes, derived from its procedure: which input stands in the path, the query or the body, and strictly so.
import { z } from 'zod';
import { appRouter } from '../app-router.ts';
import type { Route } from './route.ts';

export interface RouteInputs {
  path: z.ZodObject;
  /** Those of the path, as they stand in it. */
  pathNames: readonly string[];
  query: z.ZodObject;
  /** Null when the operation takes no body. */
  body: z.ZodObject | null;
  /** All of them; an unknown one is an error. */
  all: z.ZodObject;
  /** Those that the procedure knows, by name. */
  ofProcedure: ReadonlySet<string>;
}

const known = new WeakMap<Route, RouteInputs>();

/** Where an input stands, as problem details point to it. */
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

/** Pages of lists that the procedure answers whole. */
const pageInput = z.object({
  cursor: z.string().max(500).optional().meta({ description: '`nextCursor` of the previous page.' }),
  limit: z.int().min(1).max(100).default(50),
});

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
  const ofProcedure = new Set(Object.keys(procedureInput(route)));
  const query = hasBody ? z.strictObject({}) : rest;
  const inputs = { path, pathNames: names, query, body, all: whole, ofProcedure };
  known.set(route, inputs);
  return inputs;
}

function wholeInput(route: Route): z.ZodObject {
  const own = procedureInput(route);
  for (const name of Object.keys(route.fixed ?? {})) {
    delete own[name];
  }
  const extra = route.extra?.shape ?? {};
  const paging = route.answer.kind === 'list' ? pageInput.shape : {};
  const whole = z.strictObject({ ...own, ...extra, ...paging });
  for (const name of pathNames(route.path)) {
    if (!(name in whole.shape)) {
      throw new Error(`${route.id}: {${name}} is no input of ${route.procedure}.`);
    }
  }
  return whole;
}

/** Objects within the input are taken as strictly as the input itself. */
function strict(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodObject ? z.strictObject(schema.shape) : schema;
}

/** By path. tRPC keeps them flat, whatever its types say. */
const procedures = new Map(
  Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { inputs: readonly unknown[] } }>),
);

function procedureInput(route: Route): Record<string, z.core.$ZodType> {
  const [input] = procedures.get(route.procedure)?._def.inputs ?? [];
  if (input === undefined) {
    return {};
  }
  if (!(input instanceof z.ZodObject)) {
    throw new Error(`${route.procedure}: its input is no object.`);
  }
  return Object.fromEntries(Object.entries(input.shape).map(([name, schema]) => [name, strict(schema)]));
}

/** What the procedure is given: nothing of the route's own, and what the route decides. */
export function procedureInputOf(route: Route, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { ofProcedure } = inputsOf(route);
  const given = Object.entries({ ...input, ...route.fixed }).filter(([name]) => ofProcedure.has(name));
  return Object.fromEntries(given);
}
