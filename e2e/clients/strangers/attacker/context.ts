// What an attack works with: a key of the attacker's own cluster, an agent that serves it, and random numbers from a seed.
import { randomBytes } from 'node:crypto';
import type { Random } from '../../support/random.ts';
import type { RpcCaller } from './rpc-caller.ts';

export interface AttackContext {
  rpc: RpcCaller;
  /** host:port of an agent of the attacker's cluster. */
  bootstrap: string;
  random: Random;
  /** The topic that all attacks share. */
  topicId: string;
  topic: string;
  /** A topic of 9,900 partitions. */
  wideTopicId: string;
  agentId: string;
  /** Counts what became of a call, for the report. */
  note(outcome: string): void;
}

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A UUIDv7, as agents make ids of files and jobs. */
export function uuidV7(nowMs: number): Buffer {
  const id = randomBytes(16);
  id.writeUIntBE(nowMs, 0, 6);
  id.writeUInt8((id.readUInt8(6) & 0x0f) | 0x70, 6);
  id.writeUInt8((id.readUInt8(8) & 0x3f) | 0x80, 8);
  return id;
}
