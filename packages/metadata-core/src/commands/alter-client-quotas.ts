// AlterClientQuotas: sets and removes quotas of users and client ids.
import { ErrorCode } from '../model/error-code.ts';
import { MAX_CLIENT_QUOTAS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { type QuotaKey, quotaKey, type Security } from '../model/security.ts';
import type { AlterClientQuotas, ErrorResult, QuotaAlteration } from '../model/security.types.ts';
import { alterationProblem, knownQuotaKey } from '../security/quota-rules.ts';
import { ACCEPTED, advance } from '../security/results.ts';
import type { ClusterState } from '../state/cluster-state.ts';

export function alterClientQuotas(state: ClusterState, command: AlterClientQuotas): Outcome<'alter-client-quotas'> {
  const { security } = state;
  const altered = new Set<string>();
  let isChanged = false;
  const results = command.alterations.map((alteration) => {
    const key = quotaKey(alteration);
    const problem =
      repetitionProblem(altered.has(key)) ?? alterationProblem(alteration) ?? roomProblem(security, alteration);
    altered.add(key);
    if (problem === null && !command.validateOnly) {
      isChanged = alter(security, alteration) || isChanged;
    }
    return problem ?? ACCEPTED;
  });
  if (!isChanged) {
    return unchanged({ results });
  }
  advance(security);
  return changed({ results }, { securityChanged: true });
}

function repetitionProblem(isRepeated: boolean): ErrorResult | null {
  const errorMessage = 'The request alters the same entity twice.';
  return isRepeated ? { errorCode: ErrorCode.INVALID_REQUEST, errorMessage } : null;
}

function roomProblem(security: Security, alteration: QuotaAlteration): ErrorResult | null {
  const isNew = !security.quotas.has(quotaKey(alteration)) && alteration.ops.some(({ value }) => value !== null);
  const errorMessage = `The cluster has quotas of ${MAX_CLIENT_QUOTAS} entities, the most it can have. Use defaults, or remove quotas that are no longer needed.`;
  return isNew && security.quotas.size >= MAX_CLIENT_QUOTAS
    ? { errorCode: ErrorCode.POLICY_VIOLATION, errorMessage }
    : null;
}

/** Whether anything changed: removing what is not there, or setting the same value, changes nothing. */
function alter(security: Security, { user, clientId, ops }: QuotaAlteration): boolean {
  const key = quotaKey({ user, clientId });
  const before: ReadonlyMap<QuotaKey, number> = security.quotas.get(key)?.values ?? new Map();
  const values = new Map(before);
  for (const op of ops) {
    const known = knownQuotaKey(op.key);
    if (known === undefined) {
      continue;
    }
    if (op.value === null) {
      values.delete(known);
    } else {
      values.set(known, op.value);
    }
  }
  if (values.size === before.size && [...values].every(([name, value]) => before.get(name) === value)) {
    return false;
  }
  if (values.size === 0) {
    security.quotas.delete(key);
  } else {
    security.quotas.set(key, { user, clientId, values });
  }
  return true;
}
