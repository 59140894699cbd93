import { listGroups as groupsOf } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

export const listGroups: AgentCall<typeof MetadataService.method.listGroups> = async ({ owner }, request) => ({
  groups: await owner.read((state) => groupsOf(state, request.states, request.types)),
});
