// Validates what an agent reports about access control. Names come from Kafka clients and are shown to people, so each is short and printable.
// A denied request or a use that breaks a rule is left out; the others are stored. A client id alone is made printable instead: a client
// chooses it, and could hide its requests by it. Pure.
import type { AccessReport, AclBinding, CredentialUse, DeniedRequest } from '@penstock/metadata-protocol';
import { ScramMechanism } from '@penstock/metadata-protocol';
import type { ReportedAccess, ReportedAcl, ReportedDenial, ReportedUse } from '@penstock/telemetry-store';
import { HOUR_MS } from '@penstock/units';
import { isPrintable, printable } from './printable.ts';

const MAX_DENIALS = 100;
const MAX_USES = 200;
const MAX_NAME_LENGTH = 1_024;
const MAX_USER_LENGTH = 255;
const MAX_CLIENT_ID_LENGTH = 255;
/** The longest text of an IPv6 address with a zone. */
const MAX_HOST_LENGTH = 64;
const MAX_COUNT = BigInt(Number.MAX_SAFE_INTEGER);
/** Kafka's numbers of the types, patterns, operations and permissions that an ACL can have. */
const RESOURCE_TYPES = [2, 7] as const;
const PATTERN_TYPES = [3, 4] as const;
const OPERATIONS = [2, 15] as const;
const PERMISSIONS = [2, 3] as const;

export interface CheckedAccess {
  access: ReportedAccess;
  /** Why entries were left out, once per entry. */
  refused: { reason: string }[];
}

class Invalid extends Error {}

/** Turns the message into what is stored. */
export function checkAccess(message: AccessReport, nowMs: number): CheckedAccess {
  const refused: { reason: string }[] = [];
  const checked = <In, Out>(entries: readonly In[], max: number, check: (entry: In) => Out): Out[] => {
    if (entries.length > max) {
      refused.push({ reason: `access: more than ${max} entries` });
    }
    return entries.slice(0, max).flatMap((entry) => {
      try {
        return [check(entry)];
      } catch (error) {
        if (!(error instanceof Invalid)) {
          throw error;
        }
        refused.push({ reason: `access: ${error.message}` });
        return [];
      }
    });
  };
  const denials = checked(message.denied, MAX_DENIALS, (denied) => denialOf(denied, nowMs));
  const uses = checked(message.used, MAX_USES, (used) => useOf(used, nowMs));
  return {
    access: {
      revision: message.revision,
      denials: distinct(denials, (denial) =>
        JSON.stringify([denial.principal, denial.resourceType, denial.resourceName, denial.operation]),
      ),
      uses: distinct(uses, ({ user, mechanism }) => `${mechanism} ${user}`),
    },
    refused,
  };
}

function denialOf(denied: DeniedRequest, nowMs: number): ReportedDenial {
  // An agent forgets a denial after an hour, by the service's clock as it knows it.
  if (denied.lastAgeMs > denied.firstAgeMs || denied.lastAgeMs > 2n * BigInt(HOUR_MS)) {
    throw new Invalid('a denied request has impossible ages');
  }
  if (denied.count < 1n || denied.count > MAX_COUNT || denied.firstAgeMs > MAX_COUNT) {
    throw new Invalid('a denied request has an impossible count or age');
  }
  return {
    principal: textOf(denied.principal, MAX_NAME_LENGTH, 1),
    host: textOf(denied.host, MAX_HOST_LENGTH, 1),
    clientId: textOf(printable(denied.clientId), MAX_CLIENT_ID_LENGTH, 0),
    resourceType: within(denied.resourceType, RESOURCE_TYPES),
    resourceName: textOf(denied.resourceName, MAX_NAME_LENGTH, 1),
    operation: within(denied.operation, OPERATIONS),
    isEnforced: denied.enforced,
    count: Number(denied.count),
    firstMs: Math.max(0, nowMs - Number(denied.firstAgeMs)),
    lastMs: nowMs - Number(denied.lastAgeMs),
    denyingAcl: denied.denyingAcl === undefined ? null : aclOf(denied.denyingAcl),
  };
}

function aclOf(acl: AclBinding): ReportedAcl {
  return {
    resourceType: within(acl.resourceType, RESOURCE_TYPES),
    resourceName: textOf(acl.resourceName, MAX_NAME_LENGTH, 1),
    patternType: within(acl.patternType, PATTERN_TYPES),
    principal: textOf(acl.principal, MAX_NAME_LENGTH, 1),
    host: textOf(acl.host, MAX_CLIENT_ID_LENGTH, 1),
    operation: within(acl.operation, OPERATIONS),
    permissionType: within(acl.permissionType, PERMISSIONS),
  };
}

function useOf(used: CredentialUse, nowMs: number): ReportedUse {
  if (used.mechanism !== ScramMechanism.SHA_256 && used.mechanism !== ScramMechanism.SHA_512) {
    throw new Invalid(`${used.mechanism} is not a SCRAM mechanism`);
  }
  if (used.ageMs > BigInt(nowMs)) {
    throw new Invalid('a credential was used before 1970');
  }
  return {
    user: textOf(used.user, MAX_USER_LENGTH, 1),
    mechanism: used.mechanism,
    host: textOf(used.host, MAX_HOST_LENGTH, 1),
    lastMs: nowMs - Number(used.ageMs),
  };
}

function textOf(text: string, maxLength: number, minLength: number): string {
  if (text.length < minLength || !isPrintable(text, maxLength)) {
    throw new Invalid(`a name has ${minLength} to ${maxLength} characters that can be shown`);
  }
  return text;
}

function within(number: number, [first, last]: readonly [number, number]): number {
  if (number < first || number > last) {
    throw new Invalid(`${number} is not a number of Kafka’s ACLs`);
  }
  return number;
}

/** The first entry of each key. */
function distinct<Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => string): Entry[] {
  return [...new Map(entries.toReversed().map((entry) => [keyOf(entry), entry])).values()].toReversed();
}
