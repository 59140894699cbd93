// Reads a route's input from a request. Strict: an unknown input is an error at its place.
import { z } from 'zod';
import type { Route, RouteInput } from '../operation/route.ts';
import type { RestRequest } from './exchange.ts';
import { HttpRefusal } from './problem.ts';
import { readJson } from './read-json.ts';
import { inputsOf, pointerOf } from './route-input.ts';

/** The schema inside optional, default and similar wrappers. */
function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod;
  return 'innerType' in def ? innermost((def as { innerType: z.core.$ZodType }).innerType) : schema;
}

/**
 * Converts text of a path or query to the type that its schema expects. Text that does not fit is left for the schema
 * to reject.
 */
function fromText(schema: z.core.$ZodType, texts: readonly string[]): unknown {
  const { type } = innermost(schema)._zod.def;
  if (type === 'array') {
    return texts;
  }
  const [text = ''] = texts;
  if (type === 'number' && /^-?\d{1,15}(\.\d+)?$/.test(text)) {
    return Number(text);
  }
  if (type === 'boolean' && (text === 'true' || text === 'false')) {
    return text === 'true';
  }
  return text;
}

/**
 * In a path instead of a name that cannot stand there. Clients take `.` and `..` for steps within a path, however they are encoded, so that
 * groups with such names are named in the query: `/consumer-groups/-?groupId=..`.
 */
const NAMED_IN_QUERY = '-';

/** @param segments the values of the path parameters, still encoded */
export async function readInput(
  route: Route,
  segments: readonly string[],
  request: RestRequest,
  query: URLSearchParams,
): Promise<RouteInput> {
  const inputs = inputsOf(route);
  const raw: Record<string, unknown> = {};
  const namedInQuery = new Set<string>();
  for (const [index, name] of inputs.pathNames.entries()) {
    const schema = inputs.path.shape[name];
    if (schema !== undefined) {
      const segment = segments[index] ?? '';
      const [inQuery] = segment === NAMED_IN_QUERY ? query.getAll(name) : [];
      if (inQuery !== undefined) {
        namedInQuery.add(name);
      }
      raw[name] = fromText(schema, [inQuery ?? decoded(segment)]);
    }
  }
  for (const name of query.size === 0 ? [] : new Set(query.keys())) {
    const { shape } = namedInQuery.has(name) ? inputs.path : inputs.query;
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const texts = query.getAll(name);
    if (schema === undefined) {
      throw unknownInput(`?${name}`, 'Unknown parameter.');
    }
    if (texts.length > 1 && innermost(schema)._zod.def.type !== 'array') {
      throw unknownInput(`?${name}`, 'Use this parameter only once.');
    }
    raw[name] = fromText(schema, texts);
  }
  const body = await readBody(request, inputs.body);
  for (const [name, value] of Object.entries(body)) {
    if (inputs.body === null || !Object.hasOwn(inputs.body.shape, name)) {
      throw unknownInput(`#/${name}`, 'Unknown field.');
    }
    raw[name] = value;
  }
  const parsed = inputs.all.safeParse(raw);
  if (parsed.success) {
    return parsed.data;
  }
  throw new HttpRefusal(422, 'input_invalid', 'Some input is invalid. See errors.', {
    errors: parsed.error.issues.map((issue) => ({
      pointer: pointerOf(route, String(issue.path[0] ?? '')),
      detail: issue.message,
    })),
  });
}

function unknownInput(pointer: string, detail: string): HttpRefusal {
  return new HttpRefusal(422, 'input_invalid', 'Some input is invalid. See errors.', {
    errors: [{ pointer, detail }],
  });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpRefusal(400, 'path_malformed', 'The path is not correctly encoded.');
  }
}

async function readBody(request: RestRequest, schema: z.ZodObject | null): Promise<Record<string, unknown>> {
  const body = await readJson(request);
  if (body === undefined) {
    // The body may be omitted if all of its fields have defaults.
    if (schema === null || schema.safeParse({}).success) {
      return {};
    }
    throw new HttpRefusal(400, 'body_missing', 'This request requires a JSON body.');
  }
  const object = z.record(z.string(), z.unknown()).safeParse(body);
  if (!object.success) {
    throw new HttpRefusal(422, 'input_invalid', 'The body must be a JSON object.');
  }
  return object.data;
}
