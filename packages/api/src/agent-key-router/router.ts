import { router } from '../trpc/trpc.ts';
import { createAgentKey } from './create-agent-key.ts';
import { listAgentKeys } from './list-agent-keys.ts';
import { revokeAgentKey } from './revoke-agent-key.ts';

export const agentKeyRouter = router({ create: createAgentKey, list: listAgentKeys, revoke: revokeAgentKey });
