// Conditions of commands about access control.

import type { CommandKind } from '../model/command.ts';
import { MAX_ACL_CHARS, MAX_ACLS, MAX_CLIENT_QUOTAS, MAX_SCRAM_CREDENTIALS, MAX_SUPER_USERS } from '../model/limits.ts';
import type { Outcome } from '../model/outcome.ts';
import type { ErrorResult } from '../model/security.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { atLeast, atMost, equal, holds } from './compare.ts';
import type { Conditions } from './conditions.types.ts';
import type { Outline } from './outline.ts';

function requireVersion(before: Outline, { security }: ClusterState, outcome: Outcome<CommandKind>): void {
  equal(security.version, before.securityVersion + (outcome.changed ? 1 : 0), 'each change raises the version by one');
  equal(outcome.effects.securityChanged === true, outcome.changed, 'a change of access control is published');
}

function requireReasons(results: readonly ErrorResult[]): void {
  for (const { errorCode, errorMessage } of results) {
    equal(errorMessage !== '', errorCode !== 0, 'a refused change of access control has a reason');
  }
}

export const alterUserScramCredentials: Conditions<'alter-user-scram-credentials'> =
  (before, state, command) => (outcome) => {
    const { credentials, settings, acls, quotas } = state.security;
    const { results } = outcome.answer;
    requireVersion(before, state, outcome);
    requireReasons(results);
    atMost(results.length, command.upserts.length + command.deletions.length, 'each user has one result');
    atMost(credentials.size, before.credentials + command.upserts.length, 'a verifier adds one credential');
    atLeast(credentials.size, before.credentials - command.deletions.length, 'a deletion removes one credential');
    holds(
      credentials.size <= MAX_SCRAM_CREDENTIALS || credentials.size <= before.credentials,
      'credentials do not grow beyond their limit',
      credentials.size,
    );
    equal(acls.size, before.acls, 'credentials leave ACLs');
    equal(quotas.size, before.quotas, 'credentials leave quotas');
    holds(
      !outcome.changed || credentials.size > 0 || settings.authentication !== 'when-credentials-exist',
      'the last credential does not open the cluster',
      settings.authentication,
    );
  };

export const createAcls: Conditions<'create-acls'> = (before, state, command) => (outcome) => {
  const { acls, aclChars, credentials, quotas } = state.security;
  const { results } = outcome.answer;
  requireVersion(before, state, outcome);
  requireReasons(results);
  equal(results.length, command.bindings.length, 'each ACL of a request has a result');
  atLeast(acls.size, before.acls, 'a creation removes no ACL');
  atMost(acls.size, before.acls + results.length, 'a binding adds one ACL');
  equal(acls.size > before.acls, outcome.changed, 'a new ACL is a change');
  atLeast(aclChars, before.aclChars, 'a creation takes no characters away');
  equal(credentials.size, before.credentials, 'ACLs leave credentials');
  equal(quotas.size, before.quotas, 'ACLs leave quotas');
  if (outcome.changed) {
    atMost(acls.size, MAX_ACLS, 'ACLs are within their limit');
    atMost(aclChars, MAX_ACL_CHARS, 'the characters of ACLs are within their limit');
  }
};

export const deleteAcls: Conditions<'delete-acls'> = (before, state, command) => (outcome) => {
  const { acls, aclChars, credentials } = state.security;
  const { results } = outcome.answer;
  requireVersion(before, state, outcome);
  requireReasons(results);
  equal(results.length, command.filters.length, 'each filter has a result');
  let deleted = 0;
  for (const result of results) {
    deleted += result.deleted.length;
    holds(result.errorCode === 0 || result.deleted.length === 0, 'a refused filter deletes nothing', result.errorCode);
  }
  atMost(acls.size, before.acls, 'a deletion adds no ACL');
  atLeast(acls.size, before.acls - deleted, 'an ACL that is gone was in a result');
  equal(acls.size < before.acls, outcome.changed, 'a removed ACL is a change');
  atMost(aclChars, before.aclChars, 'a deletion adds no characters');
  holds(acls.size > 0 || aclChars === 0, 'without ACLs there are no characters', aclChars);
  equal(credentials.size, before.credentials, 'deletions of ACLs leave credentials');
};

export const alterClientQuotas: Conditions<'alter-client-quotas'> = (before, state, command) => (outcome) => {
  const { quotas, acls, credentials } = state.security;
  const { results } = outcome.answer;
  requireVersion(before, state, outcome);
  requireReasons(results);
  equal(results.length, command.alterations.length, 'each altered quota has a result');
  holds(!outcome.changed || !command.validateOnly, 'a validated quota is not altered', command.validateOnly);
  atMost(quotas.size, before.quotas + results.length, 'an alteration adds one quota');
  atLeast(quotas.size, before.quotas - results.length, 'an alteration removes one quota');
  holds(
    quotas.size <= MAX_CLIENT_QUOTAS || quotas.size <= before.quotas,
    'quotas do not grow beyond their limit',
    quotas.size,
  );
  equal(acls.size, before.acls, 'quotas leave ACLs');
  equal(credentials.size, before.credentials, 'quotas leave credentials');
};

export const updateSecuritySettings: Conditions<'update-security-settings'> = (before, state, command) => (outcome) => {
  const { settings, acls, credentials, quotas } = state.security;
  const { refused, message } = outcome.answer;
  requireVersion(before, state, outcome);
  equal(message !== '', refused !== null, 'refused settings of access control have a reason');
  holds(!outcome.changed || refused === null, 'refused settings of access control change nothing', refused);
  equal(settings !== before.securitySettings, outcome.changed, 'new settings of access control are a change');
  equal(acls.size, before.acls, 'settings leave ACLs');
  equal(credentials.size, before.credentials, 'settings leave credentials');
  equal(quotas.size, before.quotas, 'settings leave quotas');
  if (refused === null) {
    equal(settings.aclMode, command.settings.aclMode, 'the mode of ACLs is the one that was set');
    equal(settings.authentication, command.settings.authentication, 'authentication is the one that was set');
    atMost(settings.superUsers.length, MAX_SUPER_USERS, 'super users are within their limit');
    atMost(settings.superUsers.length, command.settings.superUsers.length, 'a super user was set');
    holds(
      command.expectedVersion === 0 || command.expectedVersion === before.securityVersion,
      'settings are changed from the version that was expected',
      command.expectedVersion,
    );
  }
};
