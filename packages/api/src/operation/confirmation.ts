// Which calls of a procedure ask a person for a recent proof of identity. Judges the input as it was sent, before the
// procedure's schema: what it can't read, it asks for. Programs are not asked: an API key has the rights of its role,
// nobody is there to answer, and creating the key was confirmed.

/**
 * `always`, or the calls whose input does this: gives a role above viewer, weakens a cluster's protection, or lets
 * records of a topic be deleted.
 */
export type Confirmation = 'always' | 'for-roles-above-viewer' | 'for-less-protection' | 'for-deleting-records';

/** Roles that can change nothing. */
const harmlessRoles: readonly unknown[] = ['viewer', 'none'];

/** Topic configs that decide which records are deleted. */
const deletingConfigs = ['retention.ms', 'retention.bytes', 'cleanup.policy'];

function fieldOf(input: unknown, name: string): unknown {
  return typeof input === 'object' && input !== null ? Reflect.get(input, name) : undefined;
}

function givesMoreThanViewer(input: unknown): boolean {
  const clusterRoles = fieldOf(input, 'clusterRoles') ?? [];
  return (
    !harmlessRoles.includes(fieldOf(input, 'role')) ||
    !Array.isArray(clusterRoles) ||
    clusterRoles.some((entry) => !harmlessRoles.includes(fieldOf(entry, 'role')))
  );
}

function weakensProtection(input: unknown): boolean {
  return (
    fieldOf(input, 'deletionProtection') === false ||
    fieldOf(input, 'confirmAgentAddresses') === false ||
    fieldOf(input, 'allowAgentAdministration') === true
  );
}

function changesDeletion(input: unknown): boolean {
  const configs = fieldOf(input, 'configs');
  return deletingConfigs.some((name) => fieldOf(configs, name) !== undefined);
}

/** Whether this call needs a recent proof of identity. */
export function asksForConfirmation(confirmation: Confirmation, input: unknown): boolean {
  switch (confirmation) {
    case 'always':
      return true;
    case 'for-roles-above-viewer':
      return givesMoreThanViewer(input);
    case 'for-less-protection':
      return weakensProtection(input);
    case 'for-deleting-records':
      return changesDeletion(input);
  }
}
