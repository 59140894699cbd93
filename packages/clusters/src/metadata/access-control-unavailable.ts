import { AppError } from '@penstock/platform';

/** The metadata service runs an older release, or the cluster is at a rules level from before access control. */
export function accessControlUnavailable(cause: unknown): AppError {
  return new AppError({
    kind: 'unavailable',
    code: 'access_control_unavailable',
    message: 'This cluster doesn’t support users, ACLs and quotas yet.',
    remedy: 'The operator of the metadata service must finish its upgrade (PENSTOCK_METADATA_RULES=3).',
    cause,
  });
}
