// Counts what clients do with records and offsets, by agent key and object, for the audit log. Such calls are daily work of
// some clients, so they are folded: here for some seconds, and by the hour in the database.
import { HOUR_MS } from '@penstock/units';
import type { Pool } from 'pg';
import type { Clock } from '../owners/clock.ts';

export type DeedKind = 'delete-records' | 'delete-offsets' | 'commit-offsets';

/** How long counts wait for others before they are written together. */
const FOLD_MS = 5_000;
/** Objects that are counted apart, of all keys, until counts are written. Others count under the name below. */
const MAX_PENDING = 10_000;
const OTHERS = '(others)';
/** The index of subjects holds no longer ones. Names of groups can have more. */
const MAX_SUBJECT_CHARS = 400;

export interface KeyDeedsOptions {
  pool: Pick<Pool, 'query'>;
  clock: Pick<Clock, 'after'>;
  /** Wall clock, in milliseconds. */
  nowMs: () => number;
  onNotRecorded: (error: unknown) => void;
}

interface Deed {
  keyId: string;
  hourMs: number;
  kind: DeedKind;
  subject: string;
  calls: number;
}

export class KeyDeeds {
  readonly #options: KeyDeedsOptions;
  #pending = new Map<string, Deed>();
  #cancelTimer: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: KeyDeedsOptions) {
    this.#options = options;
  }

  /** @param subject the topic, or the consumer group */
  note(keyId: string, kind: DeedKind, subject: string): void {
    const { clock, nowMs } = this.#options;
    const hourMs = Math.floor(nowMs() / HOUR_MS) * HOUR_MS;
    const keyOf = (name: string): string => JSON.stringify([keyId, hourMs, kind, name]);
    // PostgreSQL stores neither NUL nor lone surrogates.
    const given = subject.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, MAX_SUBJECT_CHARS).toWellFormed();
    const name = this.#pending.has(keyOf(given)) || this.#pending.size < MAX_PENDING ? given : OTHERS;
    const deed = this.#pending.get(keyOf(name)) ?? { keyId, hourMs, kind, subject: name, calls: 0 };
    deed.calls += 1;
    this.#pending.set(keyOf(name), deed);
    this.#cancelTimer ??= clock.after(FOLD_MS, () => void this.flush());
  }

  /** Writes what was counted. Counts that can't be written are lost: no call waits for the audit log. */
  flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const deeds = [...this.#pending.values()];
    this.#pending = new Map();
    if (deeds.length > 0) {
      this.#writing = this.#writing.then(() => this.#write(deeds));
    }
    return this.#writing;
  }

  async #write(deeds: readonly Deed[]): Promise<void> {
    try {
      await this.#options.pool.query({
        name: 'agent-key-deeds',
        text: `
          INSERT INTO agent_key_deed AS deed (key_id, hour, kind, subject, cluster_id, organization_id, calls)
          SELECT k.id, to_timestamp(given.hour_ms / 1000.0), given.kind, given.subject, k.cluster_id, k.organization_id, given.calls
          FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::int[])
            AS given (key_id, hour_ms, kind, subject, calls)
          JOIN agent_key k ON k.id = given.key_id
          ON CONFLICT (key_id, hour, kind, subject) DO UPDATE SET calls = deed.calls + EXCLUDED.calls`,
        values: [
          deeds.map(({ keyId }) => keyId),
          deeds.map(({ hourMs }) => hourMs),
          deeds.map(({ kind }) => kind),
          deeds.map(({ subject }) => subject),
          deeds.map(({ calls }) => calls),
        ],
      });
    } catch (error) {
      this.#options.onNotRecorded(error);
    }
  }
}
