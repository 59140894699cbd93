// The control plane's RPC: lists its calls.

import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from '@connectrpc/connect';
import {
  AbortTransactionRequestSchema,
  AdminService,
  AlterClientQuotasRequestSchema,
  AlterConfigsRequestSchema,
  AlterUserScramCredentialsRequestSchema,
  CommitOffsetsRequestSchema,
  CreateAclsRequestSchema,
  CreateTopicsRequestSchema,
  DeleteAclsRequestSchema,
  DeleteGroupsRequestSchema,
  DeleteTopicsRequestSchema,
  ListOffsetsRequestSchema,
  OWNER_URL_HEADER,
} from '@penstock/metadata-protocol';
import { isUuid } from '@penstock/platform';
import { type InternalGate, requireCluster } from '../auth/internal-gate.ts';
import { NotOwner } from '../owners/errors.ts';
import type { Owner } from '../owners/owner.ts';
import type { Owners } from '../owners/owners.ts';
import { abortTransactionIn } from './abort-transaction.ts';
import { alterClientQuotasIn } from './alter-client-quotas.ts';
import { alterConfigsIn } from './alter-configs.ts';
import { alterUserScramCredentialsIn } from './alter-user-scram-credentials.ts';
import { commitOffsetsIn } from './commit-offsets.ts';
import { connectErrorOf } from './connect-errors.ts';
import { createAclsIn } from './create-acls.ts';
import { createTopicsIn } from './create-topics.ts';
import { deleteAclsIn } from './delete-acls.ts';
import { deleteGroupsIn } from './delete-groups.ts';
import { deleteTopicsIn } from './delete-topics.ts';
import { describeSecurityIn } from './describe-security.ts';
import { listAclsIn, listQuotasIn, listUsersIn } from './list-access.ts';
import { listAgentsIn } from './list-agents.ts';
import { listGroupViewsIn } from './list-group-views.ts';
import { listOffsetsIn } from './list-offsets.ts';
import { listTopicViewsIn } from './list-topic-views.ts';
import { listTransactionPageIn } from './list-transaction-pages.ts';
import { clusterViewMessage } from './messages/cluster-view.ts';
import { updateSecuritySettingsIn } from './update-security-settings.ts';
import { watchClusterView } from './watch-cluster-view.ts';

export interface AdminServiceOptions {
  owners: Owners;
  gate: InternalGate;
  onDefect: (error: unknown, method: string) => void;
}

export function registerAdminService(router: ConnectRouter, options: AdminServiceOptions): void {
  const { owners, gate, onDefect } = options;

  async function answer<Answer>(
    clusterId: string,
    context: HandlerContext,
    call: (owner: Owner) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await call(await ownerOf(clusterId, context));
    } catch (error) {
      throw refusalOf(error, context);
    }
  }

  async function ownerOf(text: string, context: HandlerContext): Promise<Owner> {
    const clusterId = checkedClusterId(text);
    requireCluster(context, clusterId);
    return await owners.get(clusterId);
  }

  /** Names the owner's port for the control plane instead of that for agents. */
  function refusalOf(error: unknown, context: HandlerContext): ConnectError {
    const refusal = connectErrorOf(error, context.method.name, onDefect);
    if (error instanceof NotOwner) {
      refusal.metadata.delete(OWNER_URL_HEADER);
      if (error.adminUrl !== undefined) {
        refusal.metadata.set(OWNER_URL_HEADER, error.adminUrl);
      }
    }
    return refusal;
  }

  router.service(
    AdminService,
    {
      getClusterView: (request, context) => answer(request.clusterId, context, clusterViewMessage),
      async *watchClusterView(request, context) {
        try {
          yield* watchClusterView(await ownerOf(request.clusterId, context), context);
        } catch (error) {
          throw refusalOf(error, context);
        }
      },
      adminListTopics: (request, context) =>
        answer(request.clusterId, context, (owner) => listTopicViewsIn(owner, request)),
      adminListGroups: (request, context) =>
        answer(request.clusterId, context, (owner) => listGroupViewsIn(owner, request)),
      adminListAgents: (request, context) =>
        answer(request.clusterId, context, (owner) => listAgentsIn(owner, request)),
      adminListUsers: (request, context) => answer(request.clusterId, context, (owner) => listUsersIn(owner, request)),
      adminListAcls: (request, context) => answer(request.clusterId, context, (owner) => listAclsIn(owner, request)),
      adminListQuotas: (request, context) =>
        answer(request.clusterId, context, (owner) => listQuotasIn(owner, request)),
      adminCreateTopics: (request, context) =>
        answer(request.clusterId, context, (owner) =>
          createTopicsIn(owner, request.request ?? create(CreateTopicsRequestSchema)),
        ),
      adminDeleteTopics: (request, context) =>
        answer(request.clusterId, context, (owner) =>
          deleteTopicsIn(owner, request.request ?? create(DeleteTopicsRequestSchema)),
        ),
      adminAlterConfigs: (request, context) =>
        answer(request.clusterId, context, (owner) =>
          alterConfigsIn(owner, request.request ?? create(AlterConfigsRequestSchema)),
        ),
      adminCommitOffsets: (request, context) =>
        answer(request.clusterId, context, (owner) =>
          commitOffsetsIn(owner, request.request ?? create(CommitOffsetsRequestSchema)),
        ),
      adminListOffsets: (request, context) =>
        answer(request.clusterId, context, (owner) =>
          listOffsetsIn(owner, request.request ?? create(ListOffsetsRequestSchema)),
        ),
      adminDeleteGroups: (request, context) =>
        answer(request.clusterId, context, (owner) =>
          deleteGroupsIn(owner, request.request ?? create(DeleteGroupsRequestSchema)),
        ),
      adminAlterUserScramCredentials: (request, context) =>
        answer(request.clusterId, context, (owner) =>
          alterUserScramCredentialsIn(owner, request.request ?? create(AlterUserScramCredentialsRequestSchema)),
        ),
      adminCreateAcls: (request, context) =>
        answer(request.clusterId, context, (owner) =>
          createAclsIn(owner, request.request ?? create(CreateAclsRequestSchema)),
        ),
      adminDeleteAcls: (request, context) =>
        answer(request.clusterId, context, (owner) =>
          deleteAclsIn(owner, request.request ?? create(DeleteAclsRequestSchema)),
        ),
      adminAlterClientQuotas: (request, context) =>
        answer(request.clusterId, context, (owner) =>
          alterClientQuotasIn(owner, request.request ?? create(AlterClientQuotasRequestSchema)),
        ),
      adminUpdateSecuritySettings: (request, context) =>
        answer(request.clusterId, context, (owner) => updateSecuritySettingsIn(owner, request)),
      adminDescribeSecurity: (request, context) => answer(request.clusterId, context, describeSecurityIn),
      adminListTransactions: (request, context) =>
        answer(request.clusterId, context, (owner) => listTransactionPageIn(owner, request)),
      adminAbortTransaction: (request, context) =>
        answer(request.clusterId, context, (owner) =>
          abortTransactionIn(owner, request.request ?? create(AbortTransactionRequestSchema)),
        ),
    },
    { requestGate: gate },
  );
}

function checkedClusterId(clusterId: string): string {
  if (!isUuid(clusterId)) {
    throw new ConnectError('cluster_id must be the id of a virtual cluster', Code.InvalidArgument);
  }
  return clusterId.toLowerCase();
}
