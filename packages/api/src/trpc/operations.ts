// One declaration per operation: who may call it, its input, its proof of identity, what the audit log says, what it
// does, and its REST route with the words for the reference. The router, the routes, the OpenAPI document and the tests
// of permissions, proofs, audit and parity all read it.
import type { AuditAction, OrganizationScope, Permission } from '@penstock/tenancy';
import type {
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
  TrackedEnvelope,
} from '@trpc/server';
import type { z } from 'zod';
import type { Confirmation } from '../operation/confirmation.ts';
import type { Access, Not, OperationFacts } from '../operation/operation-facts.ts';
import { type Rest, type RouteInput, routesIn } from '../operation/route.ts';
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
}

function factsOf(tag: string, declaration: AnyDeclaration): OperationFacts {
  const { access, input, clusterOf, confirmation, example, rest } = declaration;
  const { isFiltered = false, isOrganizationWide = false, audit = not('It only reads.') } = declaration;
  return {
    access,
    input,
    isFiltered,
    isOrganizationWide,
    clusterOf,
    confirmation,
    audit: typeof audit === 'string' ? [audit] : audit,
    example,
    routes: routesIn(rest, tag),
    unserved: typeof rest === 'function' ? undefined : rest,
  };
}

/** The tRPC procedure up to its resolver. */
function begin(tag: string, declaration: AnyDeclaration) {
  const builder = procedure(factsOf(tag, declaration));
  return declaration.input === undefined ? builder : (builder.input(declaration.input) as unknown as typeof builder);
}

/**
 * Declares the operations of a resource. tRPC cannot infer through a function that serves all kinds of access and input, so
 * the types of what it builds are stated here.
 * @param tag where the reference lists them
 */
export function operations(tag: string) {
  return {
    query: <A extends Access, O, I extends z.ZodType = z.ZodVoid>(declaration: Read<A, I, O>) =>
      begin(tag, declaration as unknown as AnyDeclaration).query(
        declaration.run as never,
      ) as unknown as TRPCQueryProcedure<Built<I, O>>,
    mutation: <A extends Access, O, I extends z.ZodType = z.ZodVoid>(declaration: Change<A, I, O>) =>
      begin(tag, declaration as unknown as AnyDeclaration).mutation(
        declaration.run as never,
      ) as unknown as TRPCMutationProcedure<Built<I, O>>,
    /** A stream of events with ids, for pages. */
    subscription: <A extends Permission, E, I extends z.ZodType = z.ZodVoid>(declaration: Stream<A, I, E>) =>
      begin(tag, declaration as unknown as AnyDeclaration).subscription(
        declaration.run as never,
      ) as unknown as TRPCSubscriptionProcedure<Built<I, AsyncIterable<{ id: string; data: E }>>>,
  };
}
