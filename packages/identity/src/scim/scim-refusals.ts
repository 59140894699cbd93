// Refusals that several use-cases of provisioning share.
import { AppError } from '@penstock/platform';

/** Another organization's users don't exist for the caller. */
export function userNotFound(): AppError {
  return new AppError({ kind: 'not-found', code: 'scim_user_not_found', message: 'There is no user with this id.' });
}

export function groupNotFound(): AppError {
  return new AppError({ kind: 'not-found', code: 'scim_group_not_found', message: 'There is no group with this id.' });
}

export function userExists(text: string): AppError {
  return new AppError({
    kind: 'conflict',
    code: 'scim_user_exists',
    message: `There is already a user with the user name or email address ${text}.`,
  });
}

export function removedByPerson(): AppError {
  return new AppError({
    kind: 'forbidden',
    code: 'scim_user_removed',
    message:
      'Somebody removed this person from the organization in Penstock. An owner or admin must invite them before they can be activated again.',
  });
}

export function limitReached(message: string): AppError {
  return new AppError({ kind: 'refused', code: 'scim_limit', message });
}
