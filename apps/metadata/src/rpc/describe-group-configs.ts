import { describeGroupConfigs as configsIn } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';

export const describeGroupConfigs: AgentCall<typeof MetadataService.method.describeGroupConfigs> = async (
  { owner },
  request,
) => ({ groups: await owner.read((state) => configsIn(state, request.groupIds)) });
