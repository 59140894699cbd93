import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall, AgentCallContext } from './agent-call.ts';
import {
  columnsOfMessage,
  commitFileColumns,
  commitFileCommand,
  commitFileResponse,
  commitFileResponseBytes,
} from './messages/commit-file.ts';

/** Commits a data file and assigns offsets to its batches. */
export const commitFile: AgentCall<typeof MetadataService.method.commitFile> = async ({ owner }, request) =>
  commitFileResponse(await owner.submit(commitFileCommand(columnsOfMessage(request))));

/** The same, from request bytes to response bytes. Agents' calls take this path. */
export async function commitFileBytes({ owner }: AgentCallContext, request: Uint8Array): Promise<Uint8Array> {
  return commitFileResponseBytes(await owner.submit(commitFileCommand(commitFileColumns(request))));
}
