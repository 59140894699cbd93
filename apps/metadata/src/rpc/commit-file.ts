import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { commitFileCommand, commitFileResponse } from './messages/commit-file.ts';

/** A data file was written: its batches get their offsets. */
export const commitFile: AgentCall<typeof MetadataService.method.commitFile> = async ({ owner }, request) =>
  commitFileResponse(await owner.submit(commitFileCommand(request)));
