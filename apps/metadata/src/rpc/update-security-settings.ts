// AdminUpdateSecuritySettings. Kafka clients have no call for these settings, so agents don't either.
import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { toSafeInteger, type UpdateSecuritySettingsAnswer } from '@penstock/metadata-core';
import { type AdminUpdateSecuritySettingsRequest, SecuritySettingsSchema } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import { describeSecurityIn } from './describe-security.ts';
import { settingsOf } from './messages/security.ts';

const CODES: Readonly<Record<NonNullable<UpdateSecuritySettingsAnswer['refused']>, Code>> = {
  // As from a service that doesn't know the call.
  'version-changed': Code.FailedPrecondition,
  invalid: Code.InvalidArgument,
};

/** @throws ConnectError failed_precondition when the state has another version than expected */
export async function updateSecuritySettingsIn(owner: Owner, request: AdminUpdateSecuritySettingsRequest) {
  const { refused, message } = await owner.submit({
    kind: 'update-security-settings',
    settings: settingsOf(request.settings ?? create(SecuritySettingsSchema)),
    expectedVersion: toSafeInteger(request.expectedVersion),
  });
  if (refused !== null) {
    throw new ConnectError(message, CODES[refused]);
  }
  return await describeSecurityIn(owner);
}
