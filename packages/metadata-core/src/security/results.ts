// Results of commands about security.

import { ErrorCode } from '../model/error-code.ts';
import type { RulesVersion } from '../model/rules.ts';
import type { Security } from '../model/security.ts';
import type { ErrorResult } from '../model/security.types.ts';

export const ACCEPTED: Readonly<ErrorResult> = { errorCode: ErrorCode.NONE, errorMessage: '' };

/** Entries with these commands can't be read by releases that know only earlier levels. */
const FIRST_RULES_WITH_SECURITY: RulesVersion = 3;

/**
 * Why a cluster at this level has no users, ACLs and quotas yet; null when it has. Kafka answers UNSUPPORTED_VERSION likewise while its
 * metadata.version is too low.
 */
export function levelProblem(rules: RulesVersion): ErrorResult | null {
  return rules >= FIRST_RULES_WITH_SECURITY
    ? null
    : {
        errorCode: ErrorCode.UNSUPPORTED_VERSION,
        errorMessage:
          `This cluster is at rules level ${rules} and has no users, ACLs and quotas before level ${FIRST_RULES_WITH_SECURITY}. Once all ` +
          `metadata processes and workers run this release, the operator sets PENSTOCK_METADATA_RULES=${FIRST_RULES_WITH_SECURITY} and restarts the metadata processes.`,
      };
}

/** Counts a change. */
export function advance(security: Security): void {
  security.version += 1;
}

/** A name within a message; long ones are shortened. */
export function quoted(name: string): string {
  return `'${name.length > 100 ? `${name.slice(0, 100)}...` : name}'`;
}
