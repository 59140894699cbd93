// UpdateSecuritySettings: replaces the settings of access control.
import { MAX_SUPER_USERS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { SecuritySettings } from '../model/security.ts';
import type { UpdateSecuritySettings, UpdateSecuritySettingsAnswer } from '../model/security.types.ts';
import { principalProblem } from '../security/acl-rules.ts';
import { advance } from '../security/results.ts';
import type { ClusterState } from '../state/cluster-state.ts';

export function updateSecuritySettings(
  state: ClusterState,
  { settings, expectedVersion }: UpdateSecuritySettings,
): Outcome<'update-security-settings'> {
  const { security } = state;
  if (expectedVersion !== 0 && expectedVersion !== security.version) {
    const message = `The security state is at version ${security.version}, not ${expectedVersion}: read it again and repeat the change.`;
    return refused('version-changed', message);
  }
  if (settings.superUsers.length > MAX_SUPER_USERS) {
    return refused('invalid', `A cluster has at most ${MAX_SUPER_USERS} super users.`);
  }
  for (const superUser of settings.superUsers) {
    const problem = principalProblem(superUser);
    if (problem !== null) {
      return refused('invalid', problem.errorMessage);
    }
  }
  const replaced = { ...settings, superUsers: [...new Set(settings.superUsers)] };
  if (sameSettings(replaced, security.settings)) {
    return unchanged({ refused: null, message: '' });
  }
  security.settings = replaced;
  advance(security);
  return changed({ refused: null, message: '' }, { securityChanged: true });
}

function refused(
  reason: NonNullable<UpdateSecuritySettingsAnswer['refused']>,
  message: string,
): Outcome<'update-security-settings'> {
  return unchanged({ refused: reason, message });
}

function sameSettings(a: SecuritySettings, b: SecuritySettings): boolean {
  return (
    a.allowEveryoneIfNoAclFound === b.allowEveryoneIfNoAclFound &&
    a.aclMode === b.aclMode &&
    a.authentication === b.authentication &&
    a.superUsers.length === b.superUsers.length &&
    a.superUsers.every((superUser, at) => superUser === b.superUsers[at])
  );
}
