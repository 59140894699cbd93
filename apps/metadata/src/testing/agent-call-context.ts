// What a call of an agent is given besides its request, for tests that call without a connection.
import type { Owner } from '../owners/owner.ts';
import type { AgentCallContext } from '../rpc/agent-call.ts';

/** The call context of an agent with all rights and allowed addresses, which never has to wait. */
export function agentCallContext(owner: Owner): AgentCallContext {
  return {
    owner,
    keyId: 'agent-key',
    messageBrowserKeys: () => [new Uint8Array(0)],
    peerSecrets: () => [],
    scope: 'agent',
    mayAdminister: true,
    noteDeed: () => undefined,
    peerSecret: () => undefined,
    addressVerdict: async () => ({ outcome: 'allowed' }),
    orphanAgeMs: null,
    chargeBatches: () => undefined,
    turn: () => undefined,
    storeMaxUncompressedBatchBytes: async () => undefined,
  };
}
