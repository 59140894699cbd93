// Users, ACLs, quotas and the settings of access control as messages. Numbers of mechanisms and ACLs are Kafka's on both sides.
import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import {
  type AclBinding,
  type AclFilter,
  type AclMode,
  type AuthenticationRequirement,
  type ClientQuota,
  type SecurityDescription,
  type SecuritySettings,
  toSafeInteger,
} from '@penstock/metadata-core';
import * as messages from '@penstock/metadata-protocol';

const ACL_MODES: Readonly<Record<AclMode, messages.AclMode>> = {
  disabled: messages.AclMode.DISABLED,
  shadow: messages.AclMode.SHADOW,
  enforced: messages.AclMode.ENFORCED,
};

const REQUIREMENTS: Readonly<Record<AuthenticationRequirement, messages.AuthenticationRequirement>> = {
  'when-credentials-exist': messages.AuthenticationRequirement.WHEN_CREDENTIALS_EXIST,
  always: messages.AuthenticationRequirement.ALWAYS,
  never: messages.AuthenticationRequirement.NEVER,
};

const sent = new WeakMap<SecurityDescription, messages.SecurityState>();

/** The message of a description, made once for all streams that it is sent to: with 10,000 ACLs that takes 10 ms. */
export function sharedSecurityMessage(description: SecurityDescription): messages.SecurityState {
  const known = sent.get(description);
  if (known !== undefined) {
    return known;
  }
  const message = create(messages.SecurityStateSchema, securityMessage(description));
  sent.set(description, message);
  return message;
}

export function securityMessage({ version, settings, credentials, acls, quotas }: SecurityDescription) {
  return {
    version: BigInt(version),
    settings: {
      superUsers: [...settings.superUsers],
      allowEveryoneIfNoAclFound: settings.allowEveryoneIfNoAclFound,
      aclMode: ACL_MODES[settings.aclMode],
      authentication: REQUIREMENTS[settings.authentication],
    },
    credentials: credentials.map(({ createdAtMs, expiresAtMs, ...verifier }) => ({
      ...verifier,
      createdAtMs: BigInt(createdAtMs),
      expiresAtMs: BigInt(expiresAtMs),
    })),
    acls,
    quotas: quotas.map(quotaMessage),
  };
}

function quotaMessage({ user, clientId, values }: ClientQuota) {
  const producerByteRate = values.get('producer_byte_rate');
  const consumerByteRate = values.get('consumer_byte_rate');
  const requestPercentage = values.get('request_percentage');
  return {
    ...(user !== null && { user }),
    ...(clientId !== null && { clientId }),
    ...(producerByteRate !== undefined && { producerByteRate }),
    ...(consumerByteRate !== undefined && { consumerByteRate }),
    ...(requestPercentage !== undefined && { requestPercentage }),
  };
}

/** @throws ConnectError invalid_argument when a mode is unknown, for example because a newer caller sent it */
export function settingsOf({
  superUsers,
  allowEveryoneIfNoAclFound,
  aclMode,
  authentication,
}: messages.SecuritySettings): SecuritySettings {
  return {
    superUsers,
    allowEveryoneIfNoAclFound,
    aclMode: aclMode === messages.AclMode.UNSPECIFIED ? 'disabled' : nameOf(ACL_MODES, aclMode, 'acl_mode'),
    authentication:
      authentication === messages.AuthenticationRequirement.UNSPECIFIED
        ? 'when-credentials-exist'
        : nameOf(REQUIREMENTS, authentication, 'authentication'),
  };
}

function nameOf<Name extends string>(names: Readonly<Record<Name, number>>, number: number, field: string): Name {
  const found = (Object.keys(names) as Name[]).find((name) => names[name] === number);
  if (found === undefined) {
    throw new ConnectError(`settings.${field} ${number} is not defined`, Code.InvalidArgument);
  }
  return found;
}

/** The last time that has a date: an expiry beyond it could not be shown or written to the audit log. */
const LAST_DATE_MS = 8_640_000_000_000_000;

/** The bytes are copied, so that the state doesn't keep the whole request in memory. */
export function verifierOf(credential: messages.ScramCredential) {
  const { user, mechanism, salt, storedKey, serverKey, iterations, expiresAtMs } = credential;
  return {
    user,
    mechanism,
    salt: salt.slice(),
    storedKey: storedKey.slice(),
    serverKey: serverKey.slice(),
    iterations,
    expiresAtMs: Math.min(toSafeInteger(expiresAtMs), LAST_DATE_MS),
  };
}

export function aclOf(binding: messages.AclBinding): AclBinding {
  const { resourceType, resourceName, patternType, principal, host, operation, permissionType } = binding;
  return { resourceType, resourceName, patternType, principal, host, operation, permissionType };
}

export function filterOf(filter: messages.AclFilter): AclFilter {
  const { resourceType, resourceName, patternType, principal, host, operation, permissionType } = filter;
  return {
    resourceType,
    resourceName: resourceName ?? null,
    patternType,
    principal: principal ?? null,
    host: host ?? null,
    operation,
    permissionType,
  };
}
