// Invitations to an organization.
import * as identity from '@penstock/identity';
import { inTransaction } from '@penstock/tenancy';
import { z } from 'zod';
import { keyText } from '../operation/cursor.ts';
import { PERSONAL, TAKES_RIGHTS_AWAY } from '../operation/reasons.ts';
import { clusterRoles, exampleIds, instant, roleName } from '../operation/shared-schemas.ts';
import { not, operations } from '../trpc/operations.ts';
import { inviteMemberInput } from './inputs.ts';

const { list, mutation, query } = operations('Organization');

const invitationSchema = z
  .object({
    id: z.uuid(),
    email: z.string(),
    role: roleName,
    clusterRoles,
    inviterEmail: z.string(),
    createdAt: instant,
    expiresAt: instant,
  })
  .meta({
    id: 'Invitation',
    example: {
      id: exampleIds.key,
      email: 'lin@example.com',
      role: 'viewer',
      clusterRoles: [],
      inviterEmail: 'ada@example.com',
      createdAt: '2026-11-02T09:30:00.000Z',
      expiresAt: '2026-11-09T09:30:00.000Z',
    },
  });

/** By the token in the mail's link, or by id from the user's list of open invitations. */
const acceptInvitationInput = z.union([
  z.object({ token: z.string().min(1).max(128) }),
  z.object({ invitationId: z.string().max(64) }),
]);

export const invitationOperations = {
  list: list({
    access: 'member:write',
    key: z.tuple([keyText]),
    run: ({ ctx, slice }) => ctx.run((scope) => identity.listInvitations(scope, slice)),
    keyOf: ({ id }) => [id],
    rest: ({ list }) =>
      list({
        route: 'GET /invitations',
        id: 'listInvitations',
        summary: 'List pending invitations',
        schema: invitationSchema,
      }),
  }),
  create: mutation({
    access: 'member:write',
    confirmation: 'for-roles-above-viewer',
    audit: 'invitation.create',
    input: inviteMemberInput,
    example: { email: 'lin@example.com', role: 'viewer' },
    run: async ({ ctx, input }) => {
      const { backend, tenant } = ctx;
      await identity.limitInvitations(
        backend.accounts,
        { email: input.email, inviterId: tenant.actor.id ?? tenant.organizationId },
        ctx.now,
      );
      return ctx.run((scope) => identity.inviteMember(scope, backend.webUrl, input));
    },
    rest: ({ one }) =>
      one({
        route: 'POST /invitations',
        id: 'inviteMember',
        summary: 'Invite a person by email',
        description: 'The email names the creator of the API key as the inviter.',
        status: 201,
        schema: invitationSchema,
      }),
  }),
  revoke: mutation({
    access: 'member:write',
    confirmation: not(TAKES_RIGHTS_AWAY),
    audit: 'invitation.revoke',
    input: z.object({ invitationId: z.string().max(64) }),
    run: ({ ctx, input }) => ctx.run((scope) => identity.revokeInvitation(scope, input)),
    rest: ({ none }) =>
      none({ route: 'DELETE /invitations/{invitationId}', id: 'revokeInvitation', summary: 'Revoke an invitation' }),
  }),
  listReceived: query({
    access: 'signed-in',
    run: ({ ctx }) =>
      inTransaction(ctx.backend.accounts, (tx) =>
        identity.listReceivedInvitations(tx, { userId: ctx.session.user.id, now: ctx.now }),
      ),
    rest: PERSONAL,
  }),
  /** A mutation although it only reads: a query's input would appear in the URL, and the token must not. */
  preview: mutation({
    access: 'anyone',
    confirmation: not('It changes nothing. The token must not be in a URL.'),
    audit: not('It changes nothing.'),
    input: z.object({ token: z.string().min(1).max(128) }),
    run: ({ ctx, input }) =>
      inTransaction(ctx.backend.accounts, (tx) => identity.previewInvitation(tx, { token: input.token, now: ctx.now })),
    rest: PERSONAL,
  }),
  accept: mutation({
    access: 'signed-in',
    confirmation: not('The token of the mail is the proof for every role above viewer.'),
    audit: 'invitation.accept',
    input: acceptInvitationInput,
    run: ({ ctx, input }) => {
      const { session, actor, now } = ctx;
      return inTransaction(ctx.backend.accounts, async (tx) => {
        const { organizationId } = await identity.acceptInvitation(
          { tx, actor, now },
          { userId: session.user.id, reference: input },
        );
        await identity.setActiveOrganization(tx, {
          sessionId: session.sessionId,
          userId: session.user.id,
          organizationId,
        });
        const { behindTwoFactor } = await identity.listClosedMemberships(tx, session.user.id);
        return {
          organizationId,
          /** Whether the organization opens only once the user has set up two-factor sign-in. */
          isTwoFactorDue: behindTwoFactor.some((membership) => membership.organizationId === organizationId),
        };
      });
    },
    rest: PERSONAL,
  }),
};
