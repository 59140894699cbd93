// Classifies failed calls to Stripe: retry, or a person must act. Declined cards are answers, not failures.
import Stripe from 'stripe';

/** No usable answer: the call may have had its effect or not. Retry it with the same idempotency key. */
export class StripeUnavailable extends Error {
  override readonly name = 'StripeUnavailable';
}

/** Stripe refuses, and would refuse a retry. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal';
  readonly code: string;

  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** The parts of an error that may be stored and logged: type, code and message, never headers or keys. */
function describe(error: InstanceType<typeof Stripe.errors.StripeError>): string {
  const message = error.message.replace(/\b(sk|rk|pk|whsec)_\w+/g, '$1_[redacted]');
  return `${error.type}${error.code === undefined ? '' : ` (${error.code})`}: ${message}`.slice(0, 500);
}

/**
 * Classifies an error of the library. Other errors pass unchanged. A wrong key or a missing permission is our
 * configuration, which a person will fix, so the call waits.
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

/** Runs a call of the library and classifies its errors. */
export async function withJudgement<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw judgeFailure(error);
  }
}
