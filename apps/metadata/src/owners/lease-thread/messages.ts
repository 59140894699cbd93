// What the main thread and the lease thread say to each other.
import type { LeaseOwner } from '@penstock/metadata-journal';

export interface LeaseThreadData {
  /** Connection URLs by the name of the cell, `main` being the control database. */
  cells: ReadonlyMap<string, string>;
  owner: LeaseOwner;
  ttlMs: number;
  /** The thread renews nothing while the main thread has given no sign of life for longer than this. */
  maxSilenceMs: number;
  logLevel: string;
  /** The buffer of the `SharedTimes`. */
  times: SharedArrayBuffer;
}

export type ToThread =
  /** `lease` is the main thread's number for what it asks for; `deadline` the buffer of its `SharedDeadline`. */
  | { kind: 'acquire'; lease: number; clusterId: string; deadline: SharedArrayBuffer }
  | { kind: 'release'; lease: number }
  /** Close the connections and end. */
  | { kind: 'stop' };

/** How an `acquire` ended. */
export type ThreadAnswer =
  | { outcome: 'acquired' }
  | { outcome: 'held-by-other'; ownerUrl: string; expiresInMs: number }
  | { outcome: 'moving' }
  | { outcome: 'refused'; reason: string };

export type FromThread =
  /** The database's clock was read for the first time, or could not be. */
  | { kind: 'started' }
  | { kind: 'answer'; lease: number; answer: ThreadAnswer }
  | { kind: 'released'; lease: number }
  /** An `acquire` or a `release` failed. */
  | { kind: 'failed'; lease: number; error: unknown }
  | { kind: 'lost'; lease: number; reason: string }
  | { kind: 'give-up'; lease: number; reason: string }
  | { kind: 'obstacle'; obstacle: string | undefined }
  | { kind: 'renewal-failed'; error: unknown; cell: string }
  | { kind: 'main-was-silent'; silentMs: number }
  | { kind: 'suspended'; forMs: number }
  | { kind: 'connection-failed'; message: string; pool: string; cell: string };
