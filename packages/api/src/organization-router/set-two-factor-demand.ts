import * as identity from '@penstock/identity';
import { AppError } from '@penstock/platform';
import { procedure } from '../trpc/trpc.ts';
import { setTwoFactorDemandInput } from './inputs.ts';

/** Only for users: a person who demands a second factor must have one, which no key has. */
export const setTwoFactorDemand = procedure('sso:write', { confirmation: 'always' })
  .input(setTwoFactorDemandInput)
  .mutation(({ ctx, input }) => {
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
  });
