// One declaration per operation: who may call it, its input, its proof of identity, what the audit log says, what it
// does, and its REST route with the words for the reference. The router, the routes, the OpenAPI document and the tests
// of permissions, proofs, audit and parity all read it.
import {
  type AuditAction,
  type OrderingKey,
  type OrganizationScope,
  type Permission,
  type Slice,
  sliceOf,
} from '@penstock/tenancy';
import type {
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
  TrackedEnvelope,
} from '@trpc/server';
import type { z } from 'zod';
import type { Confirmation } from '../operation/confirmation.ts';
import type { CursorKey } from '../operation/cursor.ts';
import type { Access, ListOrder, Not, OperationFacts } from '../operation/operation-facts.ts';
import { type Rest, type RouteInput, routesIn } from '../operation/route.ts';
import { type TextRules, withStorableTexts } from '../operation/storable-input.ts';
import type { ApiContext } from './context.ts';
import { type ContextOf, procedure } from './trpc.ts';

/** `not('…')` says why a change asks for no proof of identity, or leaves no row in the audit log. */
export const not = (reason: string): Not => ({ not: reason });

interface Declaration<A extends Access, I extends z.ZodType, O> {
  /** Anybody, signed-in users, or members whose role holds a permission. */
  access: A;
  input?: I;
  /** Open to every member: it leaves out clusters that the caller has no role for (`ctx.sees`). */
  isFiltered?: A extends Permission ? true : never;
  /**
   * Asks for a role for the organization: the input names no cluster. A caller could add a `clusterId` to it, which counts
   * here and is dropped later. `cluster-inputs.test.ts` finds operations that need this.
   */
  isOrganizationWide?: A extends Permission ? true : never;
  /** Finds the cluster of what the input names, if the input has no `clusterId`. */
  clusterOf?: A extends Permission ? (scope: OrganizationScope, rawInput: unknown) => Promise<string | null> : never;
  /** An example of the input, without what a path names. */
  example?: RouteInput;
  run(call: { ctx: ContextOf<A>; input: z.output<I> }): O | Promise<O>;
  rest: Rest<O>;
}

interface Change<A extends Access, I extends z.ZodType, O> extends Declaration<A, I, O> {
  /** Which calls ask a person for a recent proof of identity. */
  confirmation: A extends Permission ? Confirmation | Not : Not;
  /** All actions that the audit log can have of it. */
  audit: AuditAction | readonly AuditAction[] | Not;
}

interface Read<A extends Access, I extends z.ZodType, O> extends Declaration<A, I, O> {
  audit?: AuditAction;
}

interface List<A extends Permission, I extends z.ZodType, T, Key extends CursorKey>
  extends Omit<Read<A, I, T[]>, 'run'> {
  /** The content of cursors: the elements of the key that orders the list. */
  key: z.ZodType<Key>;
  /** @param call.slice the page that a program reads; undefined for a page of the dashboard, which shows the whole list */
  run(call: { ctx: ContextOf<A>; input: z.output<I>; slice: Slice<NoInfer<Key>> | undefined }): T[] | Promise<T[]>;
  keyOf: (item: NoInfer<T>) => Key;
}

/** A list whose source has no pages. */
interface ListInMemory<A extends Permission, I extends z.ZodType, T, Key extends OrderingKey> extends Read<A, I, T[]> {
  key: z.ZodType<Key>;
  keyOf: (item: NoInfer<T>) => Key;
}

interface Stream<A extends Access, I extends z.ZodType, E> extends Omit<Read<A, I, unknown>, 'run' | 'rest'> {
  run(call: { ctx: ContextOf<A>; input: z.output<I> }): AsyncIterable<TrackedEnvelope<E>>;
  rest: string;
}

interface Built<I extends z.ZodType, O> {
  meta: OperationFacts;
  input: z.input<I>;
  output: O;
}

/** A declaration whose types no longer matter. */
interface AnyDeclaration extends Omit<Declaration<Permission, z.ZodType, unknown>, 'access'> {
  access: Access;
  confirmation?: Confirmation | Not;
  audit?: AuditAction | readonly AuditAction[] | Not;
  order?: ListOrder;
}

function factsOf(tag: string, declaration: AnyDeclaration): OperationFacts {
  const { access, input, clusterOf, confirmation, example, order, rest } = declaration;
  const { isFiltered = false, isOrganizationWide = false, audit = not('It only reads.') } = declaration;
  return {
    access,
    input,
    isFiltered,
    isOrganizationWide,
    clusterOf,
    confirmation,
    audit: typeof audit === 'string' ? [audit] : audit,
    order,
    example,
    routes: routesIn(rest, tag),
    unserved: typeof rest === 'function' ? undefined : rest,
  };
}

/** The tRPC procedure up to its resolver. */
function begin(tag: string, declaration: AnyDeclaration, rules: TextRules) {
  const builder = procedure(factsOf(tag, declaration));
  const { input } = declaration;
  return input === undefined ? builder : (builder.input(withStorableTexts(input, rules)) as unknown as typeof builder);
}

/**
 * Declares the operations of a resource. tRPC cannot infer through a function that serves all kinds of access and input, so
 * the types of what it builds are stated here.
 * @param tag where the reference lists them
 * @param rules for the texts of their inputs
 */
export function operations(tag: string, rules: TextRules = { isNulAllowed: false }) {
  /** A list of which programs read pages. */
  const list = <A extends Permission, T, Key extends CursorKey, I extends z.ZodType = z.ZodVoid>({
    key,
    keyOf,
    run,
    ...declaration
  }: List<A, I, T, Key>) => {
    const runSlice = (call: { ctx: ContextOf<A>; input: z.output<I> }) => {
      const { api }: Pick<ApiContext, 'api'> = call.ctx;
      // The route has read the cursor by `key`.
      return run({ ...call, slice: api?.slice as Slice<Key> | undefined });
    };
    const facts = { ...declaration, order: { key, keyOf } } as unknown as AnyDeclaration;
    return begin(tag, facts, rules).query(runSlice as never) as unknown as TRPCQueryProcedure<Built<I, T[]>>;
  };
  return {
    query: <A extends Access, O, I extends z.ZodType = z.ZodVoid>(declaration: Read<A, I, O>) =>
      begin(tag, declaration as unknown as AnyDeclaration, rules).query(
        declaration.run as never,
      ) as unknown as TRPCQueryProcedure<Built<I, O>>,
    list,
    /** A list that its source returns whole; programs get slices of it. */
    listInMemory: <A extends Permission, T, Key extends OrderingKey, I extends z.ZodType = z.ZodVoid>({
      run,
      ...declaration
    }: ListInMemory<A, I, T, Key>) =>
      list<A, T, Key, I>({
        ...declaration,
        run: async ({ slice, ...call }) => sliceOf(await run(call), declaration.keyOf, slice),
      }),
    mutation: <A extends Access, O, I extends z.ZodType = z.ZodVoid>(declaration: Change<A, I, O>) =>
      begin(tag, declaration as unknown as AnyDeclaration, rules).mutation(
        declaration.run as never,
      ) as unknown as TRPCMutationProcedure<Built<I, O>>,
    /** A stream of events with ids, for pages. */
    subscription: <A extends Permission, E, I extends z.ZodType = z.ZodVoid>(declaration: Stream<A, I, E>) =>
      begin(tag, declaration as unknown as AnyDeclaration, rules).subscription(
        declaration.run as never,
      ) as unknown as TRPCSubscriptionProcedure<Built<I, AsyncIterable<{ id: string; data: E }>>>,
  };
}
