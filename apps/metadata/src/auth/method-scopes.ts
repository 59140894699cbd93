// Which agent keys may call which method of MetadataService. This table is the only place that decides it.
import { Code, ConnectError } from '@connectrpc/connect';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentKeyScope } from '@penstock/platform/agent-key-scope';

type Method = keyof typeof MetadataService.method;

const EVERY_KEY: readonly AgentKeyScope[] = ['agent', 'jobs', 'read_only'];
/** For those who serve consumers. Offsets and groups are part of that: a consumer changes them while it reads. */
const READERS: readonly AgentKeyScope[] = ['agent', 'read_only'];
const JOBS: readonly AgentKeyScope[] = ['agent', 'jobs'];
const AGENTS: readonly AgentKeyScope[] = ['agent'];

export const METHOD_SCOPES: Readonly<Record<Method, readonly AgentKeyScope[]>> = {
  registerAgent: EVERY_KEY,
  agentHeartbeat: EVERY_KEY,
  deregisterAgent: EVERY_KEY,
  reportTelemetry: EVERY_KEY,
  // The stream of a key for jobs has no users, ACLs and quotas.
  watch: EVERY_KEY,
  updateInterest: EVERY_KEY,
  describeCluster: READERS,
  locate: READERS,
  listOffsets: READERS,
  joinGroup: READERS,
  syncGroup: READERS,
  groupHeartbeat: READERS,
  leaveGroup: READERS,
  commitOffsets: READERS,
  fetchOffsets: READERS,
  listGroups: READERS,
  describeGroups: READERS,
  consumerGroupHeartbeat: READERS,
  describeConsumerGroups: READERS,
  describeGroupConfigs: READERS,
  describeTransactions: READERS,
  listTransactions: READERS,
  describeProducers: READERS,
  describeSecurity: READERS,
  takeDeletions: JOBS,
  confirmDeletions: JOBS,
  knownFiles: JOBS,
  takeJob: JOBS,
  completeJob: JOBS,
  createTopics: AGENTS,
  deleteTopics: AGENTS,
  createPartitions: AGENTS,
  alterConfigs: AGENTS,
  alterClientMetrics: AGENTS,
  commitFile: AGENTS,
  deleteRecords: AGENTS,
  initProducerId: AGENTS,
  deleteOffsets: AGENTS,
  deleteGroups: AGENTS,
  alterGroupConfigs: AGENTS,
  addToTransaction: AGENTS,
  endTransaction: AGENTS,
  abortTransaction: AGENTS,
  alterUserScramCredentials: AGENTS,
  createAcls: AGENTS,
  deleteAcls: AGENTS,
  alterClientQuotas: AGENTS,
};

const ABILITIES: Readonly<Record<AgentKeyScope, string>> = {
  agent: 'may do all that agents need',
  jobs: 'is for jobs only',
  read_only: 'is read-only',
};

const scopesByName = new Map<string, readonly AgentKeyScope[]>(Object.entries(METHOD_SCOPES));

/**
 * @param methodName as in MetadataService: "CommitFile"
 * @throws ConnectError permission_denied when the key's scope does not include the method
 */
export function requireScope(scope: AgentKeyScope | undefined, methodName: string): void {
  if (scope === undefined) {
    const message = 'this release does not know the scope of the agent key: use a key of another scope';
    throw new ConnectError(message, Code.PermissionDenied);
  }
  const scopes = scopesByName.get(methodName.charAt(0).toLowerCase() + methodName.slice(1));
  if (scopes?.includes(scope) !== true) {
    throw new ConnectError(
      `this agent key ${ABILITIES[scope]}, so it may not call ${methodName}: use a key with the scope "${scopes?.[0] ?? 'agent'}", which the cluster's Connect page in the dashboard creates`,
      Code.PermissionDenied,
    );
  }
}
