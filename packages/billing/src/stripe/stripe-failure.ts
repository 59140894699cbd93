// What a failed call to Stripe means for us: try again, or a person has to look. Declined cards are no failures but answers.
import Stripe from 'stripe';

/** No usable answer: it may have had its effect or not. To be tried again with the same idempotency key. */
export class StripeUnavailable extends Error {
  override readonly name = 'StripeUnavailable';
}

/** Stripe refuses, and will refuse again. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal';
  readonly code: string;

  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Words of an error that may be stored and logged: type, code and message, never headers or keys. */
function describe(error: InstanceType<typeof Stripe.errors.StripeError>): string {
  const message = error.message.replace(/\b(sk|rk|pk|whsec)_\w+/g, '$1_[redacted]');
  return `${error.type}${error.code === undefined ? '' : ` (${error.code})`}: ${message}`.slice(0, 500);
}

/**
 * Sorts an error of the library. What is not the library's passes unchanged.
 * A wrong key or a missing right is our set-up, which a person will repair: the call waits for it.
 */
export function judgeFailure(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return error;
  }
  const isFinal =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeIdempotencyError ||
    error instanceof Stripe.errors.StripeCardError;
  // 409: a request with this key is still under way, or the object is locked by another one.
  const isBusy = error.statusCode === 409 || error.code === 'lock_timeout';
  return isFinal && !isBusy
    ? new StripeRefusal(describe(error), error.code ?? error.type, error)
    : new StripeUnavailable(describe(error), { cause: error });
}

/** Runs a call of the library, its errors sorted. */
export async function withJudgement<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw judgeFailure(error);
  }
}
