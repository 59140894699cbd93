// The messages between the main thread and the lease thread.
import type { LeaseOwner } from '@penstock/metadata-journal';

export interface LeaseThreadData {
  /** Connection URLs by cell name; `main` is the control database. */
  cells: ReadonlyMap<string, string>;
  owner: LeaseOwner;
  ttlMs: number;
  /** The thread renews nothing when the main thread has been silent for longer than this. */
  maxSilenceMs: number;
  logLevel: string;
  /** The buffer of the `SharedTimes`. */
  times: SharedArrayBuffer;
}

export type ToThread =
  /** `lease` is the main thread's number for the request; `deadline` is the buffer of its `SharedDeadline`. */
  | { kind: 'acquire'; lease: number; clusterId: string; deadline: SharedArrayBuffer }
  /** Releases the lease, or passes it to another process. */
  | { kind: 'release'; lease: number; to: LeaseOwner | undefined }
  /** Close the connections and exit. */
  | { kind: 'stop' };

/** The outcome of an `acquire`. */
export type ThreadAnswer =
  | { outcome: 'acquired' }
  | { outcome: 'held-by-other'; ownerUrl: string; adminUrl?: string | undefined; expiresInMs: number }
  | { outcome: 'moving' }
  | { outcome: 'refused'; reason: string };

export type FromThread =
  /** The first attempt to read the database's clock is done, successful or not. */
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
