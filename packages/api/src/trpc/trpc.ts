// The tRPC set-up. Every procedure is built with `procedure`, which requires stating who may call it.
import {
  type AuthSession,
  listClosedMemberships,
  listMemberships,
  type Membership,
  membershipEnded,
  requireConfirmation,
  requirePermission,
  requirePermissionForAll,
  signedOut,
  twoFactorRequired,
} from '@penstock/identity';
import { AppError } from '@penstock/platform';
import { inputMessage } from '@penstock/platform/input-message';
import {
  type Actor,
  inTenant,
  inTransaction,
  isAllowed,
  type Permission,
  type ReadScope,
  readInTenant,
  type Scope,
  seesCluster,
  visibleClusters,
} from '@penstock/tenancy';
import { MINUTE_MS } from '@penstock/units';
import { initTRPC, type TRPCError } from '@trpc/server';
import superjson from 'superjson';
import { z } from 'zod';
import { asksForConfirmation } from '../operation/confirmation.ts';
import type { Access, OperationFacts } from '../operation/operation-facts.ts';
import { guardAccess } from './access-guard.ts';
import type { ApiContext } from './context.ts';
import { describeError, toTrpcError } from './errors.ts';
import { countCall } from './limit-calls.ts';

/** Proxies close silent connections after 30 to 60 seconds. */
const PING_INTERVAL_MS = 10_000;
/** Ends streams regularly, so that they do not outlive an expired session. The client reconnects at once. */
const MAX_STREAM_MS = 5 * MINUTE_MS;

z.config({ customError: inputMessage });

const t = initTRPC
  .context<ApiContext>()
  .meta<OperationFacts>()
  .create({
    transformer: superjson,
    isDev: false,
    sse: {
      maxDurationMs: MAX_STREAM_MS,
      ping: { enabled: true, intervalMs: PING_INTERVAL_MS },
      client: { reconnectAfterInactivityMs: 3 * PING_INTERVAL_MS },
    },
    errorFormatter: ({ shape, error, ctx }) => {
      const { message, details } = describeError(error, ctx?.backend.logger);
      return { ...shape, message, data: { ...shape.data, ...details } };
    },
  });

export const { router, createCallerFactory } = t;

function requireSession(ctx: ApiContext) {
  if (ctx.session === null) {
    throw signedOut();
  }
  return ctx.session;
}

/**
 * The user's membership of the organization that the request names, and of no other: a call whose membership has ended
 * must not land elsewhere. A page that is only being opened names none, and gets the one chosen last, otherwise the
 * oldest.
 */
async function activeMembership(ctx: ApiContext, userId: string, isChange: boolean): Promise<Membership> {
  const memberships = await inTransaction(ctx.backend.accounts, (tx) =>
    listMemberships(tx, userId, ctx.session?.ssoOrganizationId ?? null),
  );
  const wanted = ctx.organizationId ?? ctx.session?.activeOrganizationId;
  const active = memberships.find((membership) => membership.organizationId === wanted) ?? memberships[0];
  if (ctx.organizationId !== null && active?.organizationId !== ctx.organizationId) {
    throw await closedTo(ctx, userId);
  }
  if (active === undefined) {
    throw new AppError({
      kind: 'refused',
      code: 'organization_missing',
      message: 'You don’t belong to an organization yet.',
      remedy: 'Create one, or ask for an invitation.',
    });
  }
  if (ctx.organizationId === null && isChange) {
    throw new AppError({
      kind: 'refused',
      code: 'organization_unnamed',
      message: 'This request doesn’t name an organization. Nothing was changed.',
      remedy: 'Reload the page and try again.',
    });
  }
  return active;
}

/** Why the organization that the request names is closed. */
async function closedTo({ backend, session, organizationId }: ApiContext, userId: string): Promise<AppError> {
  if (session?.ssoOrganizationId != null) {
    return membershipEnded();
  }
  const { behindTwoFactor } = await inTransaction(backend.accounts, (tx) => listClosedMemberships(tx, userId));
  const closed = behindTwoFactor.find((membership) => membership.organizationId === organizationId);
  return closed === undefined ? membershipEnded() : twoFactorRequired(closed.organizationName);
}

/** Gives refusals within a middleware their tRPC code. */
async function explained<R extends { ok: true } | { ok: false; error: TRPCError }>(work: () => Promise<R>): Promise<R> {
  try {
    const result = await work();
    if (result.ok) {
      return result;
    }
    throw result.error;
  } catch (error) {
    throw toTrpcError(error);
  }
}

/** A procedure open to everybody. */
function anyoneProcedure() {
  return t.procedure.use(({ ctx, next }) =>
    explained(async () => {
      await countCall(ctx);
      return next();
    }),
  );
}

/** For signed-in users, with or without an organization. */
function signedInProcedure() {
  return anyoneProcedure().use(({ ctx, next, type }) => {
    const session = requireSession(ctx);
    // An SSO session belongs to its organization. The provider must not be able to change the user's own account.
    if (type === 'mutation') {
      refuseSsoSession(session);
    }
    return next({ ctx: { session, actor: actorOf(session) } });
  });
}

/** @throws AppError `sso_session_limited` */
export function refuseSsoSession({ ssoOrganizationId }: AuthSession): void {
  if (ssoOrganizationId === null) {
    return;
  }
  throw new AppError({
    kind: 'forbidden',
    code: 'sso_session_limited',
    message: 'You signed in through single sign-on, which gives access to one organization only.',
    remedy: 'Sign in with your password or a passkey. If you don’t have a password, set one with “Forgot password?”.',
  });
}

function actorOf({ user }: AuthSession): Actor {
  return { type: 'user', id: user.id, label: user.email, source: 'web' };
}

/** One lookup per request. */
const memberships = new WeakMap<ApiContext, Promise<Membership>>();

/** Who acts, for which organization and with which role: a program's key, or a user in the organization that the request names. */
async function actingMember(ctx: ApiContext, isChange: boolean): Promise<{ actor: Actor; membership: Membership }> {
  if (ctx.api === null) {
    const session = requireSession(ctx);
    if (isChange) {
      return { actor: actorOf(session), membership: await activeMembership(ctx, session.user.id, true) };
    }
    // All queries that a page sends in one request share one lookup.
    const known = memberships.get(ctx) ?? activeMembership(ctx, session.user.id, false);
    memberships.set(ctx, known);
    return { actor: actorOf(session), membership: await known };
  }
  const { key } = ctx.api;
  if (isChange && key.isReadOnly) {
    throw new AppError({
      kind: 'forbidden',
      code: 'api_key_read_only',
      message: 'This API key is read-only.',
      remedy: 'Use a key that isn’t read-only.',
    });
  }
  return {
    actor: { type: 'api-key', id: key.apiKeyId, label: `API key ${key.name}`, source: 'api' },
    membership: {
      organizationId: key.organizationId,
      organizationName: key.organizationName,
      role: key.role,
      clusterRoles: key.clusterRoles,
    },
  };
}

function clusterIdIn(rawInput: unknown): string | null {
  const id: unknown = typeof rawInput === 'object' && rawInput !== null ? Reflect.get(rawInput, 'clusterId') : null;
  return typeof id === 'string' ? id : null;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/**
 * For members of the active organization, and programs' keys, whose role holds the permission. One middleware and not a
 * chain: tRPC copies the whole context for each, which is a good part of the cost of a short call.
 */
function memberProcedure(
  permission: Permission,
  { confirmation, isFiltered, isOrganizationWide, clusterOf }: OperationFacts,
) {
  return t.procedure.use(({ ctx, next, type, signal, getRawInput }) =>
    explained(async () => {
      await countCall(ctx);
      const isChange = type === 'mutation';
      const { actor, membership } = await actingMember(ctx, isChange);
      let clusterId: string | null = null;
      // A role for the organization is enough for all clusters; only without one is the input looked at.
      if (!isAllowed(membership.role, permission) && !isFiltered) {
        const { organizationId } = membership;
        const rawInput: unknown = isOrganizationWide ? undefined : await getRawInput();
        clusterId =
          clusterOf === undefined
            ? clusterIdIn(rawInput)
            : await inTenant(ctx.backend.database, organizationId, (tx) => clusterOf({ tx, organizationId }, rawInput));
        if (clusterOf !== undefined && clusterId === null) {
          requirePermissionForAll(membership, permission);
        } else {
          requirePermission(membership, permission, clusterId);
        }
      }
      const sees = (id: string): boolean => seesCluster(membership, id);
      if (
        ctx.api === null &&
        typeof confirmation === 'string' &&
        asksForConfirmation(confirmation, await getRawInput())
      ) {
        requireConfirmation(requireSession(ctx), ctx.now);
      }
      const tenant = { organizationId: membership.organizationId, actor, now: ctx.now };
      /** Runs a use-case in its own transaction, limited to the tenant by the database as well. */
      const run = <T>(work: (scope: Scope) => Promise<T>): Promise<T> =>
        inTenant(ctx.backend.database, tenant.organizationId, (tx) => {
          const scope = { ...tenant, tx };
          return isChange && ctx.api !== null ? ctx.api.aroundChange(scope, () => work(scope)) : work(scope);
        });
      /** For a use-case that only reads a little: the same limits, without a transaction. */
      const reading: ReadScope = {
        organizationId: tenant.organizationId,
        now: ctx.now,
        read: (statement, values) => readInTenant(ctx.backend.reads, tenant.organizationId, statement, values),
      };
      // tRPC merges it into the context.
      const given = { actor, membership, sees, visibleClusters: visibleClusters(membership), tenant, run, reading };
      if (type !== 'subscription') {
        return next({ ctx: { ...given, ending: undefined } });
      }
      // Only pages have streams; programs poll.
      const { sessionId, user } = requireSession(ctx);
      const access = { sessionId, userId: user.id, organizationId: tenant.organizationId, permission, clusterId };
      const stream = ctx.backend.openStreams.open(sessionId);
      const hangUp = signal === undefined ? stream.ending : AbortSignal.any([signal, stream.ending]);
      const guard = guardAccess(ctx.backend, access, hangUp);
      guard.ending.addEventListener('abort', stream.release, { once: true });
      const result = await next({ ctx: { ...given, ending: guard.ending } });
      if (result.ok && isAsyncIterable(result.data)) {
        return { ...result, data: guard.guarded(result.data) };
      }
      guard.release();
      return result;
    }),
  );
}

type ContextIn<B extends { query: (resolver: never) => unknown }> = Parameters<B['query']>[0] extends (
  call: infer Call,
) => unknown
  ? Call extends { ctx: infer C }
    ? C
    : never
  : never;

/** The context in which an operation with this access runs. */
export type ContextOf<A extends Access> = A extends 'anyone'
  ? ContextIn<ReturnType<typeof anyoneProcedure>>
  : A extends 'signed-in'
    ? ContextIn<ReturnType<typeof signedInProcedure>>
    : ContextIn<ReturnType<typeof memberProcedure>>;

/** Starts a procedure, for `operations` alone: everything that can be called is declared there. */
export function procedure(facts: OperationFacts) {
  const { access } = facts;
  // The three differ in their contexts alone, which `ContextOf` states.
  const begun =
    access === 'anyone'
      ? anyoneProcedure()
      : access === 'signed-in'
        ? (signedInProcedure() as unknown as ReturnType<typeof anyoneProcedure>)
        : (memberProcedure(access, facts) as unknown as ReturnType<typeof anyoneProcedure>);
  return begun.meta(facts);
}
