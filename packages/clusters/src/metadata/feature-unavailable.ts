// What a user reads when the metadata service, or the rules level of a cluster, is older than a feature.
import { AppError } from '@penstock/platform';

/** Users, ACLs and quotas need rules level 3. */
export function accessControlUnavailable(cause: unknown): AppError {
  return new AppError({
    kind: 'unavailable',
    code: 'access_control_unavailable',
    message: 'This cluster doesn’t support users, ACLs and quotas yet.',
    remedy: 'The operator of the metadata service must finish its upgrade (PENSTOCK_METADATA_RULES=3).',
    cause,
  });
}

/** Transactions need rules level 4. */
export function transactionsUnavailable(cause: unknown): AppError {
  return new AppError({
    kind: 'unavailable',
    code: 'transactions_unavailable',
    message: 'This cluster doesn’t support transactions yet.',
    remedy: 'The operator of the metadata service must finish its upgrade (PENSTOCK_METADATA_RULES=4).',
    cause,
  });
}

/** @param call the name that it has in the service's contract */
export function callUnavailable(call: string, cause: unknown): AppError {
  return new AppError({
    kind: 'unavailable',
    code: 'metadata_call_unavailable',
    message: `The metadata service doesn’t support ${call} yet.`,
    remedy: 'The operator of the metadata service must finish its upgrade.',
    cause,
  });
}
