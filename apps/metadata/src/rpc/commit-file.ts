import { Code, ConnectError } from '@connectrpc/connect';
import { type CommitFileAnswer, meteringProblem } from '@penstock/metadata-core';
import type { CommitFileColumns, MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall, AgentCallContext } from './agent-call.ts';
import {
  columnsOfMessage,
  commitFileColumns,
  commitFileCommand,
  commitFileResponse,
  commitFileResponseBytes,
} from './messages/commit-file.ts';
import { requireOwnAgent } from './own-agents.ts';

const MAX_AGENT_ID_CHARS = 100;

/** Commits a data file and assigns offsets to its batches. */
export const commitFile: AgentCall<typeof MetadataService.method.commitFile> = async (context, request) =>
  commitFileResponse(await commit(context, columnsOfMessage(request)));

/** Like `commitFile`, from request bytes to response bytes. Calls of agents use this path. */
export async function commitFileBytes(context: AgentCallContext, request: Uint8Array): Promise<Uint8Array> {
  const answer = await commit(context, commitFileColumns(request));
  // All files of a journal entry become durable together.
  await context.turn();
  return commitFileResponseBytes(answer);
}

/**
 * @throws ConnectError permission_denied when the agent registered with another key, invalid_argument when the columns contradict each
 *   other, or the sizes that are billed cannot be true
 */
async function commit(
  { owner, keyId, chargeBatches, turn }: AgentCallContext,
  columns: CommitFileColumns,
): Promise<CommitFileAnswer> {
  requireOwnAgent(owner, keyId, columns.agentId);
  chargeBatches(columns.batchBytes.length);
  const command = commitFileCommand(columns);
  const problem = meteringProblem(command);
  if (problem !== null) {
    owner.noteMeteringRefusal(columns.agentId.slice(0, MAX_AGENT_ID_CHARS), problem);
    throw new ConnectError(problem, Code.InvalidArgument);
  }
  for (;;) {
    const room = owner.whenRoom(command.runTopic.length);
    if (room === undefined) {
      return await owner.commitFile(command);
    }
    await room;
    await turn();
  }
}
