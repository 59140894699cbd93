// Whether what an agent does fits the scope of its key.
import type { AgentKeyScope } from '@penstock/platform/agent-key-scope';

export interface AgentRoles {
  /** As `--roles` names them. */
  roles: readonly string[];
  /** 0: it takes no Kafka clients. */
  advertisedPort: number;
  /** Empty: it is off. */
  messageBrowserUrl: string;
}

/** Returns the problem with the roles and what to do about it, or null if they are valid. */
export function roleProblem(
  scope: AgentKeyScope | undefined,
  { roles, advertisedPort, messageBrowserUrl }: AgentRoles,
): string | null {
  const isReadOnly = roles.length === 1 && roles[0] === 'consume';
  switch (scope) {
    case 'agent':
      return isReadOnly
        ? 'An agent that serves consumers alone needs a read-only key: create one on the cluster’s Connect page, or start the agent without --roles consume.'
        : null;
    case 'read_only':
      return isReadOnly
        ? null
        : 'This agent key is read-only: start the agent with --roles consume, or use a key with the scope "agent".';
    case 'jobs':
      if (advertisedPort !== 0 || roles.some((role) => role !== 'jobs')) {
        return 'This agent key is for jobs only: start the agent with --roles jobs, or use a key with the scope "agent".';
      }
      return messageBrowserUrl === ''
        ? null
        : 'This agent key is for jobs only: start the agent without --message-browser, or use a key with the scope "agent".';
    case undefined:
      return 'This release of the service does not know the scope of the agent key: use a key with another scope.';
  }
}
