import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall, AgentCallContext } from './agent-call.ts';
import {
  columnsOfMessage,
  commitFileColumns,
  commitFileCommand,
  commitFileResponse,
  commitFileResponseBytes,
} from './messages/commit-file.ts';

/** A data file was written: its batches get their offsets. */
export const commitFile: AgentCall<typeof MetadataService.method.commitFile> = async ({ owner }, request) =>
  commitFileResponse(await owner.submit(commitFileCommand(columnsOfMessage(request))));

/** The same from wire bytes to wire bytes, as agents call it. */
export async function commitFileBytes({ owner }: AgentCallContext, request: Uint8Array): Promise<Uint8Array> {
  return commitFileResponseBytes(await owner.submit(commitFileCommand(commitFileColumns(request))));
}
