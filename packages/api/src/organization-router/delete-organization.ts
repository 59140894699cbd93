import * as lifecycle from '@penstock/lifecycle';
import { AppError } from '@penstock/platform';
import { procedure } from '../trpc/trpc.ts';
import { deleteOrganizationInput } from './inputs.ts';

/** Only for users: a program's key does not prove that its owner is present. */
export const deleteOrganization = procedure('organization:delete')
  .input(deleteOrganizationInput)
  .mutation(async ({ ctx, input }) => {
    const { session, backend, now, address } = ctx;
    if (session === null) {
      throw new AppError({
        kind: 'forbidden',
        code: 'person_required',
        message: 'An API key can’t delete an organization.',
        remedy: 'Sign in to the dashboard to delete it.',
      });
    }
    const { password, confirmation } = input;
    const proof = { sessionId: session.sessionId, userId: session.user.id, password, address };
    await backend.auth.confirmIdentity(proof, now);
    return ctx.run((scope) => lifecycle.deleteOrganization(scope, { confirmation }, { webUrl: backend.webUrl }));
  });
