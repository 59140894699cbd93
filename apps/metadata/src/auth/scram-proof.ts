// Verifies what a Kafka client proved to an agent when it signed in with SCRAM (RFC 5802), so that the agent's word is not needed. An agent
// has its users' verifiers, but no proof can be made from a verifier.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { credentialKey, ScramMechanism, type Security } from '@penstock/metadata-core';
import type { ScramProof } from '@penstock/metadata-protocol';

const HASHES: ReadonlyMap<number, string> = new Map([
  [ScramMechanism.SHA_256, 'sha256'],
  [ScramMechanism.SHA_512, 'sha512'],
]);
const MAX_AUTH_MESSAGE_CHARS = 4_096;
const MAC_BYTES = 16;
/** An agent's part of the nonce: the id of the secret that signs it, random characters, and their MAC in hex. */
const AGENT_NONCE = /^(?<id>\d{1,19})\.(?<random>[^.,]{16,200})\.(?<mac>[0-9a-f]{32})$/;

export interface ScramProofFacts {
  credentials: Security['credentials'];
  /** The agent that presents the proof. */
  agentId: string;
  nowMs: number;
  /** The secret of the cluster's agents with this id. Undefined when it is unknown or too old. */
  peerSecret: (id: bigint) => Uint8Array | undefined;
}

export type ScramVerdict = { isGood: true; user: string } | { isGood: false; problem: string };

/**
 * Good: the user signed in to this agent, not long ago. The proof covers both nonces, and the agent's nonce is bound to the agent and to the
 * time, so neither another agent nor a later thief can present the exchange.
 */
export function verifyScramProof(proof: ScramProof, facts: ScramProofFacts): ScramVerdict {
  const { mechanism, authMessage, clientProof } = proof;
  const hash = HASHES.get(mechanism);
  if (hash === undefined || authMessage.length > MAX_AUTH_MESSAGE_CHARS) {
    return bad('the proof of the client’s sign-in is malformed');
  }
  const exchange = readExchange(authMessage);
  if (exchange === undefined) {
    return bad('the proof of the client’s sign-in is malformed');
  }
  if (!isOfAgent(exchange.agentNonce, facts)) {
    return bad('the client signed in to another agent, or too long ago: connect again');
  }
  const { user } = exchange;
  const credential = facts.credentials.get(credentialKey({ user, mechanism }));
  if (credential === undefined || (credential.expiresAtMs !== 0 && credential.expiresAtMs <= facts.nowMs)) {
    return bad('the client’s password was deleted or has expired');
  }
  const signature = createHmac(hash, credential.storedKey).update(authMessage).digest();
  if (clientProof.length !== signature.length) {
    return bad('the client’s sign-in does not match its password of now');
  }
  const clientKey = signature.map((byte, at) => byte ^ (clientProof[at] ?? 0));
  const storedKey = createHash(hash).update(clientKey).digest();
  return timingSafeEqual(storedKey, credential.storedKey)
    ? { isGood: true, user }
    : bad('the client’s sign-in does not match its password of now');
}

function bad(problem: string): ScramVerdict {
  return { isGood: false, problem };
}

/** `n=user,r=client nonce[,extensions],r=both nonces,s=salt,i=iterations[,extensions],c=…,r=both nonces`; commas in names are escaped. */
function readExchange(authMessage: string): { user: string; agentNonce: string } | undefined {
  const attributes = authMessage.split(',');
  const [name, clientNonce] = attributes;
  const nonce = attributes.slice(2).find((attribute) => attribute.startsWith('r='));
  if (name?.startsWith('n=') !== true || clientNonce?.startsWith('r=') !== true || nonce === undefined) {
    return undefined;
  }
  if (!nonce.startsWith(clientNonce)) {
    return undefined;
  }
  const user = name.slice(2).replaceAll('=2C', ',').replaceAll('=3D', '=');
  return { user, agentNonce: nonce.slice(clientNonce.length) };
}

function isOfAgent(agentNonce: string, { agentId, peerSecret }: ScramProofFacts): boolean {
  const parts = AGENT_NONCE.exec(agentNonce)?.groups;
  const secret = parts === undefined ? undefined : peerSecret(BigInt(parts['id'] ?? 0));
  if (parts === undefined || secret === undefined) {
    return false;
  }
  const mac = agentNonceMac(secret, agentId, parts['random'] ?? '');
  return timingSafeEqual(mac, Buffer.from(parts['mac'] ?? '', 'hex'));
}

/** As the contract describes it at `ScramProof`. */
export function agentNonceMac(secret: Uint8Array, agentId: string, random: string): Buffer {
  const mac = createHmac('sha256', secret).update(`penstock scram nonce v1:${agentId}:${random}`).digest();
  return mac.subarray(0, MAC_BYTES);
}
