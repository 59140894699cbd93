// A route of the public API: a path for a tRPC procedure, and the JSON form of its response. Input, permission and
// refusals are the procedure's own. Types check that the response schema fits what the procedure returns.
import type { Scope } from '@penstock/tenancy';
import type { inferRouterOutputs } from '@trpc/server';
import type { z } from 'zod';
import type { AppRouter } from '../app-router.ts';
import type { StreamedFile } from '../trpc/streamed-file.ts';

type Outputs = inferRouterOutputs<AppRouter>;
export type ProcedurePath = { [N in keyof Outputs & string]: `${N}.${keyof Outputs[N] & string}` }[keyof Outputs &
  string];
type OutputOf<P extends ProcedurePath> = P extends `${infer N}.${infer M}`
  ? N extends keyof Outputs
    ? M extends keyof Outputs[N]
      ? Outputs[N][M]
      : never
    : never
  : never;

export type RouteMethod = 'get' | 'post' | 'patch' | 'delete';
export type RouteInput = Readonly<Record<string, unknown>>;

interface RouteFacts<P extends ProcedurePath> {
  method: RouteMethod;
  /** Below /api/v1. Names in braces are inputs of the procedure or of `extra`. */
  path: string;
  /** The operation's name in generated clients. Never change it. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  procedure: P;
  /** Inputs with a fixed value. */
  fixed?: RouteInput;
  /** Path parameters that the procedure does not have, or has in a form that does not fit a path. */
  extra?: z.ZodObject;
  /** An example of the body. */
  example?: RouteInput;
}

/** What If-Match is compared with: reads the current object, locked, within the transaction of the change. */
type Current<S extends z.ZodType> = (scope: Scope, input: RouteInput) => Promise<z.input<S>>;

export interface Route extends RouteFacts<ProcedurePath> {
  answer: Answer;
}

export type Answer =
  | {
      kind: 'one';
      status: 200 | 201;
      schema: z.ZodType;
      select: (data: unknown, input: RouteInput) => unknown;
      /** What the ETag is of: the object alone, where the answer says more. */
      object: z.ZodType;
      current?: (scope: Scope, input: RouteInput) => Promise<unknown>;
    }
  /** A list that the procedure returns whole; pages are cut from it. */
  | { kind: 'list'; schema: z.ZodType; select: (data: unknown) => unknown[]; idOf: (item: unknown) => string }
  /** A list that the procedure returns in pages. */
  | { kind: 'page'; schema: z.ZodType; select: (data: unknown) => { items: unknown[]; nextCursor: string | null } }
  | { kind: 'file'; contentType: string; select: (data: unknown) => { fileName: string; bytes: Uint8Array } }
  /** A file that is generated while it is sent. */
  | { kind: 'stream'; contentTypes: readonly string[]; select: (data: unknown) => StreamedFile }
  | { kind: 'none'; current?: (scope: Scope, input: RouteInput) => Promise<unknown> };

// In the constructors below, data is what the named procedure returns; their types guarantee it.

/** A route that returns one object. */
export function one<P extends ProcedurePath, S extends z.ZodType, O extends z.ZodType = S>(
  facts: RouteFacts<P> & {
    status?: 200 | 201;
    schema: S;
    /** Of the object alone, if the answer also tells what only this request learns. Its ETag is then that of a GET. */
    object?: O;
    select: (data: OutputOf<P>, input: RouteInput) => z.input<S>;
    current?: Current<O>;
  },
): Route {
  const { status = 200, schema, object = schema, select, current, ...rest } = facts;
  const answer = {
    kind: 'one',
    status,
    schema,
    object,
    select: select as (data: unknown, input: RouteInput) => unknown,
  } as const;
  return { ...rest, answer: current === undefined ? answer : { ...answer, current } };
}

/** A route for a list that the procedure returns whole. */
export function list<P extends ProcedurePath, S extends z.ZodType>(
  facts: RouteFacts<P> & {
    schema: S;
    select: (data: OutputOf<P>) => z.input<S>[];
    idOf: (item: z.input<S>) => string;
  },
): Route {
  const { schema, select, idOf, ...rest } = facts;
  return {
    ...rest,
    answer: {
      kind: 'list',
      schema,
      select: select as (data: unknown) => unknown[],
      idOf: idOf as (item: unknown) => string,
    },
  };
}

/** A route for a list that the procedure returns in pages. */
export function page<P extends ProcedurePath, S extends z.ZodType>(
  facts: RouteFacts<P> & {
    schema: S;
    select: (data: OutputOf<P>) => { items: z.input<S>[]; nextCursor: string | null };
  },
): Route {
  const { schema, select, ...rest } = facts;
  return {
    ...rest,
    answer: {
      kind: 'page',
      schema,
      select: select as (data: unknown) => { items: unknown[]; nextCursor: string | null },
    },
  };
}

/** A route that returns a file. */
export function file<P extends ProcedurePath>(
  facts: RouteFacts<P> & {
    contentType: string;
    select: (data: OutputOf<P>) => { fileName: string; bytes: Uint8Array };
  },
): Route {
  const { contentType, select, ...rest } = facts;
  return {
    ...rest,
    answer: {
      kind: 'file',
      contentType,
      select: select as (data: unknown) => { fileName: string; bytes: Uint8Array },
    },
  };
}

/** A route that returns a file generated while it is sent. */
export function stream<P extends ProcedurePath>(
  facts: RouteFacts<P> & { contentTypes: readonly string[]; select: (data: OutputOf<P>) => StreamedFile },
): Route {
  const { contentTypes, select, ...rest } = facts;
  return { ...rest, answer: { kind: 'stream', contentTypes, select: select as (data: unknown) => StreamedFile } };
}

/** A route that returns no content. */
export function none<P extends ProcedurePath>(facts: RouteFacts<P>): Route {
  return { ...facts, answer: { kind: 'none' } };
}
