// Makes each code of an authenticator app work once (RFC 6238, section 5.2), at sign-in and for confirmations. The
// account library accepts a code as often as it is sent while its time step is near.
import { createOTP } from '@better-auth/utils/otp';
import type { Database } from '@penstock/database/client';
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';

/** The library's defaults: seconds per code, and how many steps a clock may be off. */
const PERIOD_S = 30;
const WINDOW = 1;
/** The library's cookie for a sign-in whose second factor is due. */
const CHALLENGE_COOKIE = 'two_factor';
/** No app shows it, so the library counts it as a wrong code. */
const WRONG_CODE = 'used';

/** The latest time step near now that has this code; null if none has. */
async function stepOf(secret: string, code: string): Promise<number | null> {
  const now = Math.floor(Date.now() / 1_000 / PERIOD_S);
  const otp = createOTP(secret, { period: PERIOD_S });
  for (let step = now + WINDOW; step >= now - WINDOW; step -= 1) {
    if ((await otp.hotp(step)) === code) {
      return step;
    }
  }
  return null;
}

/** The part of the account library's context that finds a challenge. */
interface Challenges {
  createAuthCookie(name: string): { name: string };
  internalAdapter: { findVerificationValue(identifier: string): Promise<{ value: string } | null> };
}

/** Whose second factor is due in this browser, for the audit log. Grants nothing, so the cookie's signature isn't checked. */
export async function challengedUserId(context: Challenges, headers: Headers): Promise<string | null> {
  const { name } = context.createAuthCookie(CHALLENGE_COOKIE);
  const pair = (headers.get('cookie') ?? '').split(';').find((text) => text.trim().startsWith(`${name}=`));
  // Percent-encoded: the value, a dot and the signature.
  const [value = ''] = pair?.split('=')[1]?.split('.') ?? [];
  return value === '' ? null : ((await context.internalAdapter.findVerificationValue(value))?.value ?? null);
}

/** A plugin of the account library. A code that was used before reaches it as a wrong one, and is counted like that. */
export function oneTimeCodes(database: Database) {
  const handler = createAuthMiddleware(async (ctx) => {
    const code: unknown = ctx.body?.code;
    const session = await getSessionFromCtx(ctx);
    let userId = session?.user.id;
    if (userId === undefined) {
      const cookie = await ctx.getSignedCookie(ctx.context.createAuthCookie(CHALLENGE_COOKIE).name, ctx.context.secret);
      const challenge =
        typeof cookie === 'string' ? await ctx.context.internalAdapter.findVerificationValue(cookie) : null;
      userId = challenge?.value;
    }
    const enrolled = userId === undefined ? null : await database.twoFactor.findFirst({ where: { userId } });
    if (enrolled === null || typeof code !== 'string') {
      return;
    }
    const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: enrolled.secret });
    const step = await stepOf(secret, code);
    if (step === null) {
      return;
    }
    // One statement, so of concurrent requests with the same code one is accepted.
    const { count } = await database.twoFactor.updateMany({
      where: { id: enrolled.id, OR: [{ usedStep: null }, { usedStep: { lt: step } }] },
      data: { usedStep: step },
    });
    return count === 1 ? undefined : { context: { body: { ...ctx.body, code: WRONG_CODE } } };
  });
  return {
    id: 'penstock-one-time-codes',
    hooks: { before: [{ matcher: ({ path }) => path === '/two-factor/verify-totp', handler }] },
  } satisfies BetterAuthPlugin;
}
