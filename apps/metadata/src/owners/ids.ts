// The owners' source of ids. Only this folder generates ids; the state machine receives them inside commands.
import { randomUUID } from 'node:crypto';

export interface Ids {
  /** A random UUID as text. */
  uuid(): string;
  /** A random UUID as 16 raw bytes. */
  uuidBytes(): Uint8Array;
}

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  uuidBytes: () => Buffer.from(randomUUID().replaceAll('-', ''), 'hex'),
};
