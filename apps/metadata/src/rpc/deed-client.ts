// Who did something that the audit log counts: the agent's claim, and whether the client's proof confirms it.
import type { KafkaClient } from '@penstock/metadata-protocol';
import type { DeedClient } from '../auth/key-deeds.ts';
import { verifyScramProof } from '../auth/scram-proof.ts';
import type { AgentCallContext } from './agent-call.ts';

/** @param client as the agent named it */
export async function deedClientOf(
  { owner, peerSecret }: Pick<AgentCallContext, 'owner' | 'peerSecret'>,
  client: KafkaClient | undefined,
): Promise<DeedClient> {
  const { principal = '', agentId = '', proof } = client ?? {};
  if (proof === undefined) {
    return { principal, isVerified: false };
  }
  const verdict = await owner.read(({ security: { credentials } }) =>
    verifyScramProof(proof, { credentials, agentId, nowMs: owner.nowMs(), peerSecret }),
  );
  return { principal, isVerified: verdict.isGood && principal === `User:${verdict.user}` };
}
