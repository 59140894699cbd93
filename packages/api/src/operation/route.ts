// A route of the public API, as an operation declares it: an address, words for the reference, and the JSON form of its
// answer. Types check that the schema of the answer fits what the operation returns.
import type { Scope } from '@penstock/tenancy';
import type { z } from 'zod';
import type { Cursor, CursorKey } from './cursor.ts';
import type { StreamedFile } from './streamed-file.ts';

export type RouteMethod = 'get' | 'post' | 'patch' | 'delete';
export type RouteInput = Readonly<Record<string, unknown>>;

interface RouteFacts {
  /**
   * Method and path below /api/v1. Names in braces are inputs of the operation or of `extra`. A GET is for queries, the
   * others are for mutations.
   */
  route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  /** The operation's name in generated clients. Never change it. */
  id: string;
  /** Where the reference lists it, if not with the other operations of its resource. */
  tag?: string;
  summary: string;
  description?: string;
  /** Inputs with a fixed value. */
  fixed?: RouteInput;
  /** Path parameters that the operation has in a form that does not fit a path, or fields in a form that JSON has. */
  extra?: z.ZodObject;
}

/** Reads the current object to compare with If-Match, locked, in the transaction of the change. */
type Current<S extends z.ZodType> = (scope: Scope, input: RouteInput) => Promise<z.input<S>>;

interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

interface FileAnswer {
  fileName: string;
  bytes: Uint8Array;
}

/** Makes the answer from what the operation returns. */
type Select<T> = (data: unknown, input: RouteInput) => T;

type Answer =
  | {
      kind: 'one';
      status: 200 | 201;
      schema: z.ZodType;
      select: Select<unknown>;
      /** The schema of the object that the ETag covers, if the response contains more. */
      object: z.ZodType;
      current?: (scope: Scope, input: RouteInput) => Promise<unknown>;
    }
  /** A list of which the operation returns a slice. */
  | { kind: 'list'; schema: z.ZodType; select: Select<unknown[]> }
  /** A list that the operation returns in pages, with a cursor of its own. */
  | { kind: 'page'; schema: z.ZodType; select: Select<Page<unknown>> }
  | { kind: 'file'; contentType: string; select: Select<FileAnswer> }
  /** A file that is generated while it is sent. */
  | { kind: 'stream'; contentTypes: readonly string[]; select: Select<StreamedFile> }
  | { kind: 'none' };

/** The declared part of an operation; the rest of a `Route` is the operation's own. */
export interface DeclaredRoute extends Omit<RouteFacts, 'route' | 'tag'> {
  tag: string;
  method: RouteMethod;
  path: string;
  answer: Answer;
}

/** A route, completed from the operation that it belongs to. */
export interface Route extends DeclaredRoute {
  /** The operation's path in the router, such as `topic.create`. */
  procedure: string;
  /** Undefined if the operation takes no input. */
  input: z.ZodObject | undefined;
  /** An example of the body. */
  example?: RouteInput;
  /** For answers of the kind `list`. */
  order?: { cursor: Cursor<CursorKey>; keyOf: (item: unknown) => CursorKey };
}

/** A route that may leave its tag to its resource. */
type RouteDraft = Omit<DeclaredRoute, 'tag'> & { tag?: string };

/** Makes the answer from what the operation returns. May be left out if that is the answer already. */
type Selected<O, T> = [O] extends [T]
  ? { select?: (data: O, input: RouteInput) => T }
  : { select: (data: O, input: RouteInput) => T };

/** The forms of an answer, for an operation that returns `O`. */
export interface RouteForms<O> {
  /** Returns a single object. */
  one<S extends z.ZodType, B extends z.ZodType = S>(
    facts: RouteFacts & {
      status?: 200 | 201;
      schema: S;
      /**
       * The schema of the object alone, if the response also contains what only this request learns. Its ETag is then
       * that of a GET.
       */
      object?: B;
      current?: Current<B>;
    } & Selected<O, z.input<S>>,
  ): RouteDraft;
  /** A list that is declared with its order. */
  list<S extends z.ZodType>(facts: RouteFacts & { schema: S } & Selected<O, z.input<S>[]>): RouteDraft;
  /** A list that the operation returns in pages. */
  page<S extends z.ZodType>(facts: RouteFacts & { schema: S } & Selected<O, Page<z.input<S>>>): RouteDraft;
  /** Returns a file to download. */
  file(facts: RouteFacts & { contentType: string } & Selected<O, FileAnswer>): RouteDraft;
  /** A file generated while it is sent. */
  stream(facts: RouteFacts & { contentTypes: readonly string[] } & Selected<O, StreamedFile>): RouteDraft;
  /** Returns no content (204). */
  none(facts: RouteFacts): RouteDraft;
}

/** All routes of an operation, or why it has none. */
export type Rest<O> =
  | ((forms: RouteForms<O>) => RouteDraft | readonly RouteDraft[])
  /** Why only the dashboard has it. */
  | string
  /** For a part of a page: the operations that return the whole. */
  | { answeredBy: readonly string[] };

function declared({ route, ...facts }: RouteFacts, answer: Answer): RouteDraft {
  const [method = '', path = ''] = route.split(' ');
  return { ...facts, method: method.toLowerCase() as RouteMethod, path, answer };
}

/** Without a `select`, types demand that the data is the answer already. */
const whole = <T>(data: unknown): T => data as T;

type OneFacts = RouteFacts & {
  status?: 200 | 201;
  schema: z.ZodType;
  object?: z.ZodType;
  select?: Select<unknown>;
  current?: (scope: Scope, input: RouteInput) => Promise<unknown>;
};
type ListFacts = RouteFacts & { schema: z.ZodType; select?: Select<unknown[]> };
type PageFacts = RouteFacts & { schema: z.ZodType; select?: Select<Page<unknown>> };
type FileFacts = RouteFacts & { contentType: string; select?: Select<FileAnswer> };
type StreamFacts = RouteFacts & { contentTypes: readonly string[]; select?: Select<StreamedFile> };

const forms = {
  one: ({ status = 200, schema, object = schema, select = whole, current, ...facts }: OneFacts) =>
    declared(facts, { kind: 'one', status, schema, object, select, ...(current === undefined ? {} : { current }) }),
  list: ({ schema, select = whole, ...facts }: ListFacts) => declared(facts, { kind: 'list', schema, select }),
  page: ({ schema, select = whole, ...facts }: PageFacts) => declared(facts, { kind: 'page', schema, select }),
  file: ({ contentType, select = whole, ...facts }: FileFacts) =>
    declared(facts, { kind: 'file', contentType, select }),
  stream: ({ contentTypes, select = whole, ...facts }: StreamFacts) =>
    declared(facts, { kind: 'stream', contentTypes, select }),
  none: (facts: RouteFacts) => declared(facts, { kind: 'none' }),
};

/** The routes that an operation declares; none if it gives a reason instead. */
export function routesIn<O>(rest: Rest<O>, tag: string): readonly DeclaredRoute[] {
  if (typeof rest !== 'function') {
    return [];
  }
  // The forms take any data at run time. What fits whom is the business of the types above.
  const made = rest(forms as unknown as RouteForms<O>);
  return ('answer' in made ? [made] : made).map((route) => ({ tag, ...route }));
}
