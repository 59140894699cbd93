import * as lifecycle from '@penstock/lifecycle';
import { AppError } from '@penstock/platform';
import { procedure } from '../trpc/trpc.ts';
import { deleteOrganizationInput } from './inputs.ts';

/** Only for users: a program's key does not prove that its owner is present. */
export const deleteOrganization = procedure('organization:delete', { confirmation: 'always' })
  .input(deleteOrganizationInput)
  .mutation(({ ctx, input }) => {
    if (ctx.session === null) {
      throw new AppError({
        kind: 'forbidden',
        code: 'person_required',
        message: 'An API key can’t delete an organization.',
        remedy: 'Sign in to the dashboard to delete it.',
      });
    }
    return ctx.run((scope) => lifecycle.deleteOrganization(scope, input, { webUrl: ctx.backend.webUrl }));
  });
