// AlterUserScramCredentials: adds, replaces and removes the SCRAM verifiers of users.
import { ErrorCode } from '../model/error-code.ts';
import { sameId } from '../model/ids.ts';
import { MAX_SCRAM_CREDENTIALS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { credentialKey, type ScramCredential, type Security } from '../model/security.ts';
import type { AlterUserScramCredentials, ErrorResult } from '../model/security.types.ts';
import { ACCEPTED, advance, quoted } from '../security/results.ts';
import { userProblem, verifierProblem } from '../security/scram-rules.ts';
import type { ClusterState } from '../state/cluster-state.ts';

type Upsert = AlterUserScramCredentials['upserts'][number];
type Deletion = AlterUserScramCredentials['deletions'][number];

interface UserAlterations {
  upserts: Upsert[];
  deletions: Deletion[];
}

export function alterUserScramCredentials(
  state: ClusterState,
  command: AlterUserScramCredentials,
  nowMs: number,
): Outcome<'alter-user-scram-credentials'> {
  const { security } = state;
  let isChanged = false;
  const results = [...byUser(command)].map(([user, alterations]) => {
    const problem = alterationProblem(security, alterations, nowMs);
    if (problem === null) {
      isChanged = alter(security, alterations, nowMs) || isChanged;
    }
    return { user, ...(problem ?? ACCEPTED) };
  });
  if (!isChanged) {
    return unchanged({ results });
  }
  keepClosed(security);
  advance(security);
  return changed({ results }, { securityChanged: true });
}

/** Deleting the last credential must not open the cluster: nobody can sign in then, but nobody gets in without. */
function keepClosed(security: Security): void {
  const { credentials, settings } = security;
  if (credentials.size === 0 && settings.authentication === 'when-credentials-exist') {
    security.settings = { ...settings, authentication: 'always' };
  }
}

function byUser({ upserts, deletions }: AlterUserScramCredentials): Map<string, UserAlterations> {
  const users = new Map<string, UserAlterations>();
  const of = (user: string): UserAlterations => {
    const alterations = users.get(user) ?? { upserts: [], deletions: [] };
    users.set(user, alterations);
    return alterations;
  };
  for (const upsert of upserts) {
    of(upsert.user).upserts.push(upsert);
  }
  for (const deletion of deletions) {
    of(deletion.user).deletions.push(deletion);
  }
  return users;
}

/** Kafka allows one alteration per user and request; here a user's credentials of different mechanisms can change together. */
function alterationProblem(
  security: Security,
  { upserts, deletions }: UserAlterations,
  nowMs: number,
): ErrorResult | null {
  const altered = new Set<string>();
  for (const alteration of [...upserts, ...deletions]) {
    const key = credentialKey(alteration);
    if (altered.has(key)) {
      const errorMessage = `The request alters a credential of ${quoted(alteration.user)} twice.`;
      return { errorCode: ErrorCode.DUPLICATE_RESOURCE, errorMessage };
    }
    altered.add(key);
  }
  for (const upsert of upserts) {
    const problem = verifierProblem(upsert, nowMs);
    if (problem !== null) {
      return problem;
    }
  }
  for (const deletion of deletions) {
    const problem = userProblem(deletion.user, deletion.mechanism) ?? absenceProblem(security, deletion);
    if (problem !== null) {
      return problem;
    }
  }
  const added = upserts.filter((upsert) => !security.credentials.has(credentialKey(upsert))).length;
  if (added > 0 && security.credentials.size + added - deletions.length > MAX_SCRAM_CREDENTIALS) {
    const errorMessage = `The cluster has ${MAX_SCRAM_CREDENTIALS} credentials, the most it can have. Delete those that are no longer used.`;
    return { errorCode: ErrorCode.POLICY_VIOLATION, errorMessage };
  }
  return null;
}

function absenceProblem(security: Security, deletion: Deletion): ErrorResult | null {
  if (security.credentials.has(credentialKey(deletion))) {
    return null;
  }
  const errorMessage = `The user ${quoted(deletion.user)} has no credential of this mechanism.`;
  return { errorCode: ErrorCode.RESOURCE_NOT_FOUND, errorMessage };
}

/** Whether anything changed: a repeated request changes nothing. */
function alter(security: Security, { upserts, deletions }: UserAlterations, nowMs: number): boolean {
  const { credentials } = security;
  let isChanged = deletions.length > 0;
  for (const deletion of deletions) {
    credentials.delete(credentialKey(deletion));
  }
  for (const upsert of upserts) {
    const key = credentialKey(upsert);
    const before = credentials.get(key);
    if (before === undefined || !sameVerifier(before, upsert)) {
      credentials.set(key, { ...upsert, createdAtMs: nowMs });
      isChanged = true;
    }
  }
  return isChanged;
}

function sameVerifier(a: ScramCredential, b: Upsert): boolean {
  return (
    sameId(a.salt, b.salt) &&
    sameId(a.storedKey, b.storedKey) &&
    sameId(a.serverKey, b.serverKey) &&
    a.iterations === b.iterations &&
    a.expiresAtMs === b.expiresAtMs
  );
}
