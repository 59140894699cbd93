// The one place that knows tRPC's set-up. Procedures are built by `procedure` alone, which demands to be told who may call.
import { AppError } from '@penstock/platform';
import {
  type Actor,
  inTenant,
  inTransaction,
  listMemberships,
  type Membership,
  type Permission,
  requirePermission,
  type Scope,
  signedOut,
} from '@penstock/services';
import { initTRPC } from '@trpc/server';
import superjson from 'superjson';
import { guardAccess } from './access-guard.ts';
import type { ApiContext } from './context.ts';
import { describeError, toTrpcError } from './errors.ts';

/** Who may call a procedure: anybody, whoever is signed in, or members whose role holds a permission. */
export type Access = 'anyone' | 'signed-in' | Permission;

interface ProcedureMeta {
  access: Access;
}

/** Proxies cut silent connections after 30 to 60 seconds. */
const pingInterval_ms = 10_000;
/** Streams are cut from time to time, so that a session whose time is over ends them too; the client comes back at once. */
const maxStream_ms = 5 * 60_000;

const t = initTRPC
  .context<ApiContext>()
  .meta<ProcedureMeta>()
  .create({
    transformer: superjson,
    isDev: false,
    sse: {
      maxDurationMs: maxStream_ms,
      ping: { enabled: true, intervalMs: pingInterval_ms },
      client: { reconnectAfterInactivityMs: 3 * pingInterval_ms },
    },
    errorFormatter: ({ shape, error, ctx }) => {
      const { message, details } = describeError(error, ctx?.backend.logger);
      return { ...shape, message, data: { ...shape.data, ...details } };
    },
  });

export const { router, createCallerFactory } = t;

function requireSession(ctx: ApiContext) {
  if (ctx.session === null) throw signedOut();
  return ctx.session;
}

/** The organization in which the person works: the one chosen last, else the oldest membership. */
async function activeMembership(ctx: ApiContext, userId: string): Promise<Membership> {
  const memberships = await inTransaction(ctx.backend.database, (tx) => listMemberships(tx, userId));
  const active =
    memberships.find((membership) => membership.organizationId === ctx.session?.activeOrganizationId) ?? memberships[0];
  if (active === undefined) {
    throw new AppError({
      kind: 'refused',
      code: 'organization_missing',
      message: 'You do not belong to an organization yet.',
      remedy: 'Create one, or ask to be invited.',
    });
  }
  return active;
}

/** Open to everybody. */
function anyoneProcedure() {
  return t.procedure.meta({ access: 'anyone' }).use(async ({ next }) => {
    const result = await next();
    if (!result.ok) throw toTrpcError(result.error);
    return result;
  });
}

/** For whoever is signed in, member of an organization or not. */
function signedInProcedure() {
  return anyoneProcedure()
    .meta({ access: 'signed-in' })
    .use(({ ctx, next }) => {
      const session = requireSession(ctx);
      const actor: Actor = { type: 'user', id: session.user.id, label: session.user.email, source: 'web' };
      return next({ ctx: { ...ctx, session, actor } });
    });
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** For members of the active organization whose role holds the permission. */
function memberProcedure(permission: Permission) {
  return signedInProcedure()
    .meta({ access: permission })
    .use(async ({ ctx, next, type, signal }) => {
      const membership = await activeMembership(ctx, ctx.session.user.id);
      requirePermission(membership, permission);
      const tenant = { organizationId: membership.organizationId, actor: ctx.actor, now: ctx.now };
      /** Runs a use-case in a transaction of its own, within the tenant; the database holds it there, too. */
      const run = <T>(work: (scope: Scope) => Promise<T>): Promise<T> =>
        inTenant(ctx.backend.database, tenant.organizationId, (tx) => work({ ...tenant, tx }));
      if (type !== 'subscription') return next({ ctx: { ...ctx, membership, tenant, run, ending: undefined } });
      const { sessionId, user } = ctx.session;
      const access = { sessionId, userId: user.id, organizationId: tenant.organizationId, permission };
      const guard = guardAccess(ctx.backend, access, signal);
      const result = await next({ ctx: { ...ctx, membership, tenant, run, ending: guard.ending } });
      if (result.ok && isAsyncIterable(result.data)) return { ...result, data: guard.guarded(result.data) };
      guard.release();
      return result;
    });
}

/** Starts a procedure. There is no other way to, hence no procedure without a decision about who may call it. */
export function procedure(access: 'anyone'): ReturnType<typeof anyoneProcedure>;
export function procedure(access: 'signed-in'): ReturnType<typeof signedInProcedure>;
export function procedure(access: Permission): ReturnType<typeof memberProcedure>;
export function procedure(access: Access) {
  if (access === 'anyone') return anyoneProcedure();
  if (access === 'signed-in') return signedInProcedure();
  return memberProcedure(access);
}
