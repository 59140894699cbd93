// The simulated PostgreSQL: the in-memory journal, leases and directory, behind connections that delay, fail, and lose answers. In calm
// weather a connection keeps the contracts of the real ones.
import { type ClusterDirectory, type ClusterRecord, MemoryDirectory } from '@penstock/metadata/simulation';
import {
  AppendUncertain,
  type ClusterIdentity,
  type DeadFiles,
  type HeldLease,
  JOURNAL_START,
  type Journal,
  type JournalEntry,
  type JournalPosition,
  type LeaseAttempt,
  type LeaseHolding,
  type LeaseOwner,
  type Leases,
  MemoryDeadFiles,
  MemoryJournal,
  MemoryLeases,
  MemoryStops,
  type PositionStatus,
  type Renewal,
  type Retention,
  type Snapshot,
} from '@penstock/metadata-journal';
import type { Machine } from '../kernel/machine.ts';
import type { Scheduler } from '../kernel/scheduler.ts';
import type { Fault, Weather } from '../kernel/weather.ts';

const QUERY_MS = 1;
const SLOW_QUERY_MS = 8_000;
/** A packet in flight when its connection broke arrives within this time. */
const LATE_APPEND_MS = 20_000;
const PAGE_ENTRIES = 16;
/**
 * Number of entries that a cut leaves before the older snapshot. Production leaves ten thousand, which no run reaches.
 */
const RETAINED_ENTRIES = 3;
const RECENT_ENTRIES = 40;

export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

export interface DatabaseOptions {
  scheduler: Scheduler;
  weather: Pick<Weather, 'strikes' | 'delay'>;
  /** Called with every entry that became durable, in order. `follows`: it named the entry before it. */
  onAppended: (seq: number, bytes: Uint8Array, follows: boolean) => void;
}

export class Database {
  readonly journal = new MemoryJournal();
  readonly deadFiles = new MemoryDeadFiles();
  readonly directory = new MemoryDirectory();
  readonly leases: MemoryLeases;
  readonly stops: MemoryStops;
  readonly #options: DatabaseOptions;
  /** The newest entries, oldest first. */
  #recent: JournalEntry[] = [];

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.leases = new MemoryLeases(() => options.scheduler.nowMs);
    this.stops = new MemoryStops(() => options.scheduler.nowMs);
  }

  async append(cluster: ClusterIdentity, previous: JournalPosition, bytes: Uint8Array): Promise<JournalPosition> {
    const position = await this.journal.append(cluster, previous, bytes);
    const { hash } = this.#recent.at(-1) ?? JOURNAL_START;
    const follows = Buffer.compare(hash, previous.hash) === 0;
    this.#recent = [...this.#recent.slice(-RECENT_ENTRIES + 1), { ...position, bytes }];
    this.#options.onAppended(position.seq, bytes, follows);
    return position;
  }

  /** The newest entries, oldest first: some of those that a replica may not have received yet. */
  get recent(): readonly JournalEntry[] {
    return this.#recent;
  }

  /** A failover to a lagging replica: all entries after this one are lost. So are their snapshots, unless the replica had them. */
  loseTail(clusterId: string, lastSeq: number, keepSnapshots: boolean): void {
    this.journal.loseTail(clusterId, lastSeq, { keepSnapshots });
    this.#recent = this.#recent.filter(({ seq }) => seq <= lastSeq);
  }

  /** Opens the connections of one process. */
  connect(machine: Machine): Connection {
    return new Connection(this, this.#options, machine);
  }
}

/** Each kind of query has connections of its own, which can hang while others work. */
export type Pool = 'journal' | 'leases';

export class Connection implements Journal, Leases, ClusterDirectory {
  readonly deadFiles: DeadFiles;
  readonly #database: Database;
  readonly #options: DatabaseOptions;
  readonly #machine: Machine;
  /** Until when the connections of a pool hang, in true time. */
  readonly #hangsUntilMs = { journal: 0, leases: 0 };

  constructor(database: Database, options: DatabaseOptions, machine: Machine) {
    this.#database = database;
    this.#options = options;
    this.#machine = machine;
    const { deadFiles } = database;
    this.deadFiles = {
      add: (...args) => this.ask(() => deadFiles.add(...args)),
      take: (...args) => this.ask(() => deadFiles.take(...args)),
      remove: (...args) => this.ask(() => deadFiles.remove(...args)),
      holds: (...args) => this.ask(() => deadFiles.holds(...args)),
      totals: (...args) => this.ask(() => deadFiles.totals(...args)),
    };
  }

  /** For this long, queries do not reach PostgreSQL, or their answers do not return. */
  hang(pool: Pool, forMs: number): void {
    this.#hangsUntilMs[pool] = this.#options.scheduler.nowMs + forMs;
  }

  append(cluster: ClusterIdentity, previous: JournalPosition, bytes: Uint8Array): Promise<JournalPosition> {
    const { weather, scheduler } = this.#options;
    const copy = Uint8Array.from(bytes);
    const store = (): Promise<JournalPosition> => this.#database.append(cluster, previous, copy);
    const uncertain = (): AppendUncertain =>
      new AppendUncertain(cluster.clusterId, previous.seq + 1, new ConnectionLost());
    if (weather.strikes('appendLost')) {
      return this.#query('journal', () => Promise.reject(uncertain()));
    }
    if (weather.strikes('appendAnswerLost')) {
      return this.#query('journal', async () => {
        await store();
        throw uncertain();
      });
    }
    if (weather.strikes('appendLate')) {
      scheduler.after(weather.delay(1, LATE_APPEND_MS), () => {
        // Whether another owner was first remains unknown.
        store().catch(() => undefined);
      });
      return this.#query('journal', () => Promise.reject(uncertain()));
    }
    return this.#query('journal', store);
  }

  async *read(clusterId: string, after: JournalPosition): AsyncIterable<JournalEntry> {
    let last = after;
    for (;;) {
      const from = last;
      const page = await this.#queryThatMayFail('journal', async () => {
        const entries: JournalEntry[] = [];
        for await (const entry of this.#database.journal.read(clusterId, from)) {
          entries.push(entry);
          if (entries.length === PAGE_ENTRIES) {
            break;
          }
        }
        return entries;
      });
      yield* page;
      const newest = page.at(-1);
      if (newest === undefined) {
        return;
      }
      last = { seq: newest.seq, hash: newest.hash };
    }
  }

  statusOf(clusterId: string, position: JournalPosition): Promise<PositionStatus> {
    return this.#queryThatMayFail('journal', () => this.#database.journal.statusOf(clusterId, position));
  }

  async writeSnapshot(
    clusterId: string,
    position: JournalPosition,
    parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const whole: Uint8Array[] = [];
    for await (const part of parts) {
      // Each part is a query of its own, so other events happen in between.
      await this.#queryThatMayFail('journal', () => Promise.resolve());
      whole.push(Uint8Array.from(part));
    }
    await this.#queryThatMayFail('journal', () => this.#database.journal.writeSnapshot(clusterId, position, whole));
  }

  readSnapshot(clusterId: string, beforeSeq?: number): Promise<Snapshot | undefined> {
    return this.#queryThatMayFail('journal', () => this.#database.journal.readSnapshot(clusterId, beforeSeq));
  }

  cut(clusterId: string, retain: Retention): Promise<number> {
    const less = { ...retain, entries: Math.min(retain.entries, RETAINED_ENTRIES) };
    return this.#queryThatMayFail('journal', () => this.#database.journal.cut(clusterId, less));
  }

  acquire(clusterId: string, owner: LeaseOwner, ttlMs: number): Promise<LeaseAttempt> {
    return this.#queryThatMayFail('leases', () => this.#database.leases.acquire(clusterId, owner, ttlMs));
  }

  renew(leases: readonly HeldLease[], owner: LeaseOwner, ttlMs: number): Promise<Renewal> {
    const asked = [...leases];
    return this.#queryThatMayFail('leases', () => this.#database.leases.renew(asked, owner, ttlMs));
  }

  release(lease: HeldLease, owner: LeaseOwner): Promise<void> {
    return this.#queryThatMayFail('leases', () => this.#database.leases.release(lease, owner));
  }

  holder(clusterId: string): Promise<LeaseHolding | undefined> {
    return this.#queryThatMayFail('leases', () => this.#database.leases.holder(clusterId));
  }

  handOver(lease: HeldLease, owner: LeaseOwner, to: LeaseOwner, ttlMs: number): Promise<void> {
    return this.#queryThatMayFail('leases', () => this.#database.leases.handOver(lease, owner, to, ttlMs));
  }

  lookUp(clusterIds: readonly string[]): Promise<ClusterRecord[]> {
    const asked = [...clusterIds];
    return this.#queryThatMayFail('journal', () => this.#database.directory.lookUp(asked));
  }

  setMaxUncompressedBatchBytes(clusterId: string, bytes: number): Promise<void> {
    return this.#queryThatMayFail('journal', () =>
      this.#database.directory.setMaxUncompressedBatchBytes(clusterId, bytes),
    );
  }

  /** A query of a table that this database does not have. @param run answers it */
  ask<T>(run: () => Promise<T>): Promise<T> {
    return this.#queryThatMayFail('journal', run);
  }

  /** Fails before or after it took effect. */
  #queryThatMayFail<T>(pool: Pool, run: () => Promise<T>): Promise<T> {
    if (!this.#strikes('queryFailed')) {
      return this.#query(pool, run);
    }
    const isDone = this.#options.weather.delay(0, 2) < 1;
    return this.#query(pool, async () => {
      if (isDone) {
        await run();
      }
      throw new ConnectionLost();
    });
  }

  #query<T>(pool: Pool, run: () => Promise<T>): Promise<T> {
    const { scheduler, weather } = this.#options;
    const thereMs = this.#travelMs();
    const hangsMs = this.#hangsUntilMs[pool] - scheduler.nowMs;
    // Half of the queries that hang are executed at once, and their answers arrive late.
    const isHeldThere = hangsMs > 0 && weather.delay(0, 1) < 0.25;
    return new Promise((resolve, reject) => {
      const answer = (settle: () => void): void => {
        const backMs = Math.max(this.#travelMs(), this.#hangsUntilMs[pool] - scheduler.nowMs);
        scheduler.after(backMs, () => this.#machine.deliver(settle));
      };
      scheduler.after(isHeldThere ? hangsMs : thereMs, () => {
        run().then(
          (found) => answer(() => resolve(found)),
          (error: unknown) => answer(() => reject(error)),
        );
      });
    });
  }

  #travelMs(): number {
    const { weather } = this.#options;
    return this.#strikes('queryDelayed') ? weather.delay(QUERY_MS, SLOW_QUERY_MS) : QUERY_MS;
  }

  #strikes(fault: Fault): boolean {
    return this.#options.weather.strikes(fault);
  }
}
