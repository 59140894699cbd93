// What a route of the public API is: an address for a procedure of the tRPC API, and how its answer reads in JSON. Input,
// permission and refusals are the procedure's own; types make sure that the answer's schema fits what the procedure returns.
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
  /** Below /api/v1; what stands in braces is an input of the procedure or of `extra`. */
  path: string;
  /** Names the operation in generated clients: never reworded. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  procedure: P;
  /** Inputs that the route decides itself. */
  fixed?: RouteInput;
  /** Inputs of the path that the procedure does not know, or takes in a form that fits no path. */
  extra?: z.ZodObject;
  /** An example of the body. */
  example?: RouteInput;
}

/** What If-Match is held against: reads the thing as it is, locked, within the transaction of the change. */
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
      current?: (scope: Scope, input: RouteInput) => Promise<unknown>;
    }
  /** A list that the procedure answers whole; pages are cut from it. */
  | { kind: 'list'; schema: z.ZodType; select: (data: unknown) => unknown[]; idOf: (item: unknown) => string }
  /** A list that the procedure answers by pages itself. */
  | { kind: 'page'; schema: z.ZodType; select: (data: unknown) => { items: unknown[]; nextCursor: string | null } }
  | { kind: 'file'; contentType: string; select: (data: unknown) => { fileName: string; bytes: Uint8Array } }
  /** A file that is made while it is sent. */
  | { kind: 'stream'; contentTypes: readonly string[]; select: (data: unknown) => StreamedFile }
  | { kind: 'none'; current?: (scope: Scope, input: RouteInput) => Promise<unknown> };

// Within the constructors below data is what the procedure named beside it returns, as their types demand.

/** A route that answers one thing. */
export function one<P extends ProcedurePath, S extends z.ZodType>(
  facts: RouteFacts<P> & {
    status?: 200 | 201;
    schema: S;
    select: (data: OutputOf<P>, input: RouteInput) => z.input<S>;
    current?: Current<S>;
  },
): Route {
  const { status = 200, schema, select, current, ...rest } = facts;
  const answer = {
    kind: 'one',
    status,
    schema,
    select: select as (data: unknown, input: RouteInput) => unknown,
  } as const;
  return { ...rest, answer: current === undefined ? answer : { ...answer, current } };
}

/** A route that answers a list which the procedure returns whole. */
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

/** A route that answers a list which the procedure returns by pages. */
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

/** A route that answers a file. */
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

/** A route that answers a file which is made while it is sent. */
export function stream<P extends ProcedurePath>(
  facts: RouteFacts<P> & { contentTypes: readonly string[]; select: (data: OutputOf<P>) => StreamedFile },
): Route {
  const { contentTypes, select, ...rest } = facts;
  return { ...rest, answer: { kind: 'stream', contentTypes, select: select as (data: unknown) => StreamedFile } };
}

/** A route that answers nothing but that it is done. */
export function none<P extends ProcedurePath>(facts: RouteFacts<P>): Route {
  return { ...facts, answer: { kind: 'none' } };
}
