// Organizations.
import * as identity from '@penstock/identity';
import * as lifecycle from '@penstock/lifecycle';
import { AppError } from '@penstock/platform';
import * as tenancy from '@penstock/tenancy';
import { z } from 'zod';
import { keyText, keyTime } from '../operation/cursor.ts';
import { AFTER_THE_END, CHOOSES_ORGANIZATION, OWN_ACCOUNT, PERSONAL, SIGN_INS } from '../operation/reasons.ts';
import { clusterRoles, exampleIds, instant, roleName } from '../operation/shared-schemas.ts';
import type { StreamedFile } from '../operation/streamed-file.ts';
import { not, operations } from '../trpc/operations.ts';
import { refuseSsoSession } from '../trpc/trpc.ts';
import { createOrganizationInput, setSessionLifetimeInput } from './inputs.ts';

const { list, mutation, query } = operations('Organization');

const organizationSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    createdAt: instant,
    suspension: z
      .object({
        reason: z.string(),
        readsAllowed: z.boolean().meta({ description: 'Whether consumers can still read.' }),
        suspendedAt: instant,
      })
      .nullable()
      .meta({ description: 'Null: the organization is not suspended.' }),
  })
  .meta({
    id: 'Organization',
    example: { id: 'org_4kQz', name: 'Acme', slug: 'acme', createdAt: '2026-11-02T09:30:00.000Z', suspension: null },
  });

const memberSchema = z
  .object({ userId: z.string(), name: z.string(), email: z.string(), role: roleName, clusterRoles, joinedAt: instant })
  .meta({
    id: 'Member',
    example: {
      userId: exampleIds.user,
      name: 'Ada Park',
      email: 'ada@example.com',
      role: 'admin',
      clusterRoles: [],
      joinedAt: '2026-11-02T09:30:00.000Z',
    },
  });

const fileOf = (now: Date, pieces: StreamedFile['pieces']): StreamedFile => ({
  fileName: `organization-${now.toISOString().slice(0, 10)}.ndjson`,
  contentType: 'application/x-ndjson',
  pieces,
});

const deletedOrganizationInput = z.object({ organizationId: z.string().max(64) });

const deleteOrganizationInput = z.object({
  /** The organization's exact name. */
  confirmation: z.string().max(64),
});

export const organizationOperations = {
  get: query({
    access: 'organization:read',
    run: ({ ctx }) => ctx.run(identity.getOrganization),
    rest: ({ one }) =>
      one({
        route: 'GET /organization',
        id: 'getOrganization',
        summary: 'Get the organization that the API key belongs to',
        schema: organizationSchema,
      }),
  }),
  /** A file for download, for route handlers of this process. */
  export: query({
    access: 'organization:export',
    audit: 'organization.export',
    run: ({ ctx }) =>
      fileOf(
        ctx.now,
        lifecycle.exportOrganization((work) => ctx.run(work), ctx.backend.metadata),
      ),
    rest: ({ stream }) =>
      stream({
        route: 'GET /organization/export',
        id: 'exportOrganization',
        summary: 'Export the organization',
        description:
          'Returns one JSON object per line, with `type` and `data`: the organization, members, invitations, clusters, keys (without secrets), billing details, invoices with their lines, credits, hourly usage, events, topics, groups and the audit log. The last line has the type `end`. It has the number of lines and lists anything that could not be read. Requires a key with the owner role.',
        contentTypes: ['application/x-ndjson'],
      }),
  }),
  listMembers: list({
    access: 'member:read',
    key: z.tuple([keyTime, keyText]),
    run: ({ ctx, slice }) => ctx.run((scope) => identity.listMembers(scope, slice)),
    keyOf: ({ joinedAt, userId }) => [joinedAt, userId],
    rest: ({ list }) =>
      list({
        route: 'GET /members',
        id: 'listMembers',
        summary: 'List members, oldest first',
        schema: memberSchema,
      }),
  }),
  create: mutation({
    access: 'signed-in',
    confirmation: not(OWN_ACCOUNT),
    audit: 'organization.create',
    input: createOrganizationInput,
    run: ({ ctx, input }) => {
      const { session, actor, now } = ctx;
      return tenancy.inTransaction(ctx.backend.accounts, async (tx) => {
        const organization = await lifecycle.createOrganization(
          { tx, actor, now },
          { name: input.name, ownerId: session.user.id },
        );
        await identity.setActiveOrganization(tx, {
          sessionId: session.sessionId,
          userId: session.user.id,
          organizationId: organization.id,
        });
        return organization;
      });
    },
    rest: PERSONAL,
  }),
  setActive: mutation({
    access: 'signed-in',
    confirmation: not(OWN_ACCOUNT),
    audit: not('It changes nothing but where the session works.'),
    input: z.object({ organizationId: z.string().max(64) }),
    run: ({ ctx, input }) =>
      tenancy.inTransaction(ctx.backend.accounts, (tx) =>
        identity.setActiveOrganization(tx, {
          sessionId: ctx.session.sessionId,
          userId: ctx.session.user.id,
          organizationId: input.organizationId,
        }),
      ),
    rest: CHOOSES_ORGANIZATION,
  }),
  twoFactorDemand: query({
    access: 'sso:write',
    run: ({ ctx }) => ctx.run(identity.getTwoFactorDemand),
    rest: 'It is changed by a person with a second factor, which no key has.',
  }),
  /** Only for users: a person who demands a second factor must have one, which no key has. */
  setTwoFactorDemand: mutation({
    access: 'sso:write',
    confirmation: 'always',
    audit: 'organization.require-two-factor',
    input: z.object({ isRequired: z.boolean() }),
    run: ({ ctx, input }) => {
      const { session } = ctx;
      if (session === null) {
        throw new AppError({
          kind: 'forbidden',
          code: 'person_required',
          message: 'An API key can’t change who needs two-factor sign-in.',
          remedy: 'Sign in to the dashboard to change it.',
        });
      }
      const acting = { userId: session.user.id, isSso: session.ssoOrganizationId !== null };
      return ctx.run((scope) => identity.setTwoFactorDemand(scope, input, acting));
    },
    rest: 'It is changed by a person with a second factor, which no key has.',
  }),
  sessionLifetime: query({
    access: 'sso:write',
    run: ({ ctx }) => ctx.run(identity.getSessionLifetime),
    rest: SIGN_INS,
  }),
  setSessionLifetime: mutation({
    access: 'sso:write',
    confirmation: 'always',
    audit: 'organization.set-session-lifetime',
    input: setSessionLifetimeInput,
    run: ({ ctx, input }) => ctx.run((scope) => identity.setSessionLifetime(scope, input)),
    rest: SIGN_INS,
  }),
  /** Only for users: a program's key does not prove that its owner is present. */
  delete: mutation({
    access: 'organization:delete',
    confirmation: 'always',
    audit: ['organization.delete', 'cluster.delete', 'agent-key.revoke', 'api-key.revoke'],
    input: deleteOrganizationInput,
    run: ({ ctx, input }) => {
      if (ctx.session === null) {
        throw new AppError({
          kind: 'forbidden',
          code: 'person_required',
          message: 'An API key can’t delete an organization.',
          remedy: 'Sign in to the dashboard to delete it.',
        });
      }
      return ctx.run((scope) => lifecycle.deleteOrganization(scope, input, { webUrl: ctx.backend.webUrl }));
    },
    rest: 'It demands that an owner proves to be at hand, which no key can.',
  }),
  /** The organizations that the user owned. */
  listDeleted: query({
    access: 'signed-in',
    run: ({ ctx }) =>
      ctx.session.ssoOrganizationId === null
        ? tenancy.inTransaction(ctx.backend.accounts, (tx) =>
            lifecycle.listDeletedOrganizations(tx, ctx.session.user.id, ctx.now),
          )
        : [],
    rest: AFTER_THE_END,
  }),
  /** For the owners of a deleted organization; to anybody else it does not exist. */
  restore: mutation({
    access: 'signed-in',
    confirmation: not('It brings back what a confirmed deletion took away, for those who owned it.'),
    audit: ['organization.restore', 'cluster.restore'],
    input: deletedOrganizationInput,
    run: ({ ctx, input }) => {
      const { actor, now, backend } = ctx;
      const who = { actor, now, organizationId: input.organizationId };
      return lifecycle.inDeletedOrganization(backend.accounts, who, (scope) =>
        lifecycle.restoreOrganization(scope, { webUrl: backend.webUrl }),
      );
    },
    rest: AFTER_THE_END,
  }),
  /** Like `export`, for owners of a deleted organization. */
  exportDeleted: query({
    access: 'signed-in',
    audit: 'organization.export',
    input: deletedOrganizationInput,
    run: async ({ ctx, input }) => {
      const { actor, now, backend, session } = ctx;
      refuseSsoSession(session);
      const who = { actor, now, organizationId: input.organizationId };
      const run = <T>(work: (scope: tenancy.Scope) => Promise<T>) =>
        lifecycle.inDeletedOrganization(backend.accounts, who, work);
      // Checks access before the file begins, so that a refusal is still a proper error.
      await run(async () => undefined);
      return fileOf(now, lifecycle.exportOrganization(run, backend.metadata));
    },
    rest: AFTER_THE_END,
  }),
};
