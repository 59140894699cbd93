// What changes of users, ACLs and quotas share: translating the metadata service's refusals.
import { AppError } from '@penstock/platform';

/** Kafka's error codes that a user can cause here. */
const KAFKA_UNSUPPORTED_SASL_MECHANISM = 33;
const KAFKA_INVALID_REQUEST = 42;
const KAFKA_POLICY_VIOLATION = 44;
const KAFKA_RESOURCE_NOT_FOUND = 91;
const KAFKA_UNACCEPTABLE_CREDENTIAL = 93;

/** @throws AppError if the metadata service refused the change */
export function expectAccepted(result: { errorCode: number; errorMessage: string } | undefined): void {
  if (result === undefined) {
    throw new Error('The metadata service answered nothing.');
  }
  const { errorCode, errorMessage: message } = result;
  switch (errorCode) {
    case 0:
      return;
    case KAFKA_RESOURCE_NOT_FOUND:
      throw new AppError({ kind: 'not-found', code: 'user_not_found', message });
    case KAFKA_UNSUPPORTED_SASL_MECHANISM:
    case KAFKA_INVALID_REQUEST:
    case KAFKA_UNACCEPTABLE_CREDENTIAL:
      throw new AppError({ kind: 'invalid-input', code: 'access_invalid', message });
    case KAFKA_POLICY_VIOLATION:
      throw new AppError({ kind: 'refused', code: 'access_limit_reached', message });
    default:
      throw new AppError({
        kind: 'refused',
        code: 'access_refused',
        message: message || `Kafka error code ${errorCode}.`,
      });
  }
}
