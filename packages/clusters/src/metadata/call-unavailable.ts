// What a user reads while the metadata service is being upgraded and does not answer a call yet.
import { AppError } from '@penstock/platform';

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
