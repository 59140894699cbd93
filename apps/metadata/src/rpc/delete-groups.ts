import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

export const deleteGroups: AgentCall<typeof MetadataService.method.deleteGroups> = async ({ owner }, request) =>
  await owner.submit({ kind: 'delete-groups', groupIds: request.groupIds });
