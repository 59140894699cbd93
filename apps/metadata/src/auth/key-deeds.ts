// Counts what clients do with records and offsets, by agent key, object and client, for the audit log. Such calls are daily work of
// some clients, so they are folded: here for some seconds, and by the hour in the database.
import { HOUR_MS } from '@penstock/units';
import type { Pool } from 'pg';
import type { Clock } from '../owners/clock.ts';

export type DeedKind = 'delete-records' | 'delete-offsets' | 'commit-offsets';

/** How long counts wait for others before they are written together. */
const FOLD_MS = 5_000;
/** Objects and clients that are counted apart, of all keys, until counts are written. Others count under the name below. */
const MAX_PENDING = 10_000;
/** Objects and clients of one key that are counted apart in an hour: who has the key can invent both. */
const MAX_NAMED_PER_KEY = 1_000;
/** The keys for which that is remembered. Beyond it, all counts of further keys are of others. */
const MAX_KEYS = 10_000;
const OTHERS = '(others)';
/** The index holds no longer names. Those of groups can have more. */
const MAX_SUBJECT_CHARS = 400;
const MAX_PRINCIPAL_CHARS = 150;

export interface KeyDeedsOptions {
  pool: Pick<Pool, 'query'>;
  clock: Pick<Clock, 'after'>;
  /** Wall clock, in milliseconds. */
  nowMs: () => number;
  onNotRecorded: (error: unknown) => void;
}

/** The client that did it. */
export interface DeedClient {
  /** As the agent named it. */
  principal: string;
  /** The client proved to the service that it is the principal. */
  isVerified: boolean;
}

interface Deed extends DeedClient {
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
  /** The details counted separately in this hour, by key. */
  #named = new Map<string, Set<string>>();
  #namedHourMs = 0;

  constructor(options: KeyDeedsOptions) {
    this.#options = options;
  }

  /** @param subject the topic, or the consumer group */
  note(keyId: string, kind: DeedKind, subject: string, client: DeedClient): void {
    const { clock, nowMs } = this.#options;
    const hourMs = Math.floor(nowMs() / HOUR_MS) * HOUR_MS;
    const given = {
      subject: storable(subject, MAX_SUBJECT_CHARS),
      principal: storable(client.principal, MAX_PRINCIPAL_CHARS),
      isVerified: client.isVerified,
    };
    const keyOf = (named: typeof given): string =>
      JSON.stringify([keyId, hourMs, kind, named.subject, named.principal, named.isVerified]);
    const isNamed = this.#pending.has(keyOf(given)) || this.#countsApart(keyId, hourMs, keyOf(given));
    const named = isNamed ? given : { subject: OTHERS, principal: OTHERS, isVerified: false };
    const deed = this.#pending.get(keyOf(named)) ?? { keyId, hourMs, kind, ...named, calls: 0 };
    deed.calls += 1;
    this.#pending.set(keyOf(named), deed);
    this.#cancelTimer ??= clock.after(FOLD_MS, () => void this.flush());
  }

  #countsApart(keyId: string, hourMs: number, name: string): boolean {
    if (hourMs !== this.#namedHourMs) {
      this.#named.clear();
      this.#namedHourMs = hourMs;
    }
    const names = this.#named.get(keyId) ?? (this.#named.size < MAX_KEYS ? new Set<string>() : undefined);
    const isFull = names === undefined || this.#pending.size >= MAX_PENDING;
    if (isFull || (!names.has(name) && names.size >= MAX_NAMED_PER_KEY)) {
      return false;
    }
    this.#named.set(keyId, names.add(name));
    return true;
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
          INSERT INTO agent_key_deed AS deed
            (key_id, hour, kind, subject, principal, is_verified, cluster_id, organization_id, calls)
          SELECT k.id, to_timestamp(given.hour_ms / 1000.0), given.kind, given.subject, given.principal, given.is_verified,
            k.cluster_id, k.organization_id, given.calls
          FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bool[], $7::int[])
            AS given (key_id, hour_ms, kind, subject, principal, is_verified, calls)
          JOIN agent_key k ON k.id = given.key_id
          ON CONFLICT (key_id, hour, kind, subject, principal, is_verified) DO UPDATE SET calls = deed.calls + EXCLUDED.calls`,
        values: [
          deeds.map(({ keyId }) => keyId),
          deeds.map(({ hourMs }) => hourMs),
          deeds.map(({ kind }) => kind),
          deeds.map(({ subject }) => subject),
          deeds.map(({ principal }) => principal),
          deeds.map(({ isVerified }) => isVerified),
          deeds.map(({ calls }) => calls),
        ],
      });
    } catch (error) {
      this.#options.onNotRecorded(error);
    }
  }
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
function storable(name: string, maxChars: number): string {
  return name.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, maxChars).toWellFormed();
}
