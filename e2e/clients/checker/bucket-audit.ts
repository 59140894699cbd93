// Compares the bucket with the journal: no needed object is missing, and no dead object remains.
import { basename } from 'node:path';
import pg from 'pg';
import {
  type ClusterState,
  createState,
  decodeEntry,
  type Id,
  type IdKey,
  idKey,
  replayEntry,
} from '../../../packages/metadata-core/src/index.ts';
import {
  JOURNAL_START,
  type JournalPosition,
  PostgresDeadFiles,
  PostgresJournal,
} from '../../../packages/metadata-journal/src/index.ts';

export type FileKind = 'flushed' | 'level 1' | 'level 2' | 'compacted';

export interface BucketState {
  /** Over the whole run, by origin. */
  files: Record<FileKind, number>;
  runs: number;
  /** Remaining ones, without those that wait for deletion. */
  filesLeft: number;
  runsLeft: number;
  /** Queued for deletion, or being deleted. */
  dead: number;
  /** Objects that no journal entry has ever named: their writer was killed, or its commit was refused. */
  orphans: number;
  /** Files in the index that are missing from the bucket. */
  missing: string[];
  /** Objects of dead files that the journal reports as deleted. */
  undeleted: string[];
}

export class BucketAudit {
  readonly #pool: pg.Pool;
  readonly #clusterId: string;
  readonly #state: ClusterState;
  readonly #files: Record<FileKind, number> = { flushed: 0, 'level 1': 0, 'level 2': 0, compacted: 0 };
  /** The ids of all files ever committed. */
  readonly #known = new Set<IdKey>();
  #runs = 0;
  #position: JournalPosition = JOURNAL_START;

  constructor(databaseUrl: string, clusterId: string) {
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    this.#clusterId = clusterId;
    this.#state = createState(clusterId);
  }

  /** @param objects paths, listed before the call: they may include files that the journal has deleted since */
  async compare(objects: readonly string[]): Promise<BucketState> {
    await this.#catchUp();
    const present = new Map(objects.filter((name) => name.endsWith('.batches')).map((name) => [keyOf(name), name]));
    const missing: string[] = [];
    const forgotten: { id: Id; name: string }[] = [];
    let [filesLeft, orphans] = [0, 0];
    const named = new Set<IdKey>();
    for (const [, { id, liveRuns }] of this.#state.files.files()) {
      named.add(idKey(id));
      if (liveRuns > 0) {
        filesLeft += 1;
        if (!present.has(idKey(id))) {
          missing.push(hexOf(id));
        }
      }
    }
    for (const [key, name] of present) {
      if (!this.#known.has(key)) {
        orphans += 1;
      } else if (!named.has(key)) {
        forgotten.push({ id: Uint8Array.from(Buffer.from(key, 'hex')), name: basename(name) });
      }
    }
    const table = new PostgresDeadFiles(this.#pool);
    const isWaiting = await table.holds(
      this.#clusterId,
      forgotten.map(({ id }) => id),
    );
    const undeleted = forgotten.flatMap(({ name }, at) => (isWaiting[at] === true ? [] : [name]));
    const dead = this.#state.files.dead + (await table.totals(this.#clusterId)).files;
    return {
      ...{ files: { ...this.#files }, runs: this.#runs, filesLeft, runsLeft: this.#runsLeft() },
      ...{ dead, orphans, missing, undeleted },
    };
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #catchUp(): Promise<void> {
    for await (const { bytes, ...position } of new PostgresJournal(this.#pool).read(this.#clusterId, this.#position)) {
      for (const command of decodeEntry(bytes).commands) {
        if (command.kind === 'commit-file') {
          this.#note(command.fileId, 'flushed', command.runTopic.length);
        } else if (command.kind === 'replace-runs') {
          const merged = command.level === 1 ? 'level 1' : 'level 2';
          this.#note(command.fileId, command.compaction === null ? merged : 'compacted', command.targetTopic.length);
        }
      }
      replayEntry(this.#state, bytes);
      this.#position = position;
    }
  }

  #note(fileId: Id, kind: FileKind, runs: number): void {
    this.#known.add(idKey(fileId));
    this.#files[kind] += 1;
    this.#runs += runs;
  }

  #runsLeft(): number {
    let runs = 0;
    for (const { partitions } of this.#state.topics.values()) {
      for (const partition of partitions) {
        runs += partition.runs?.length ?? 0;
      }
    }
    return runs;
  }
}

function keyOf(path: string): IdKey {
  const hex = basename(path, '.batches').replaceAll('-', '');
  return idKey(Uint8Array.from(Buffer.from(hex, 'hex')));
}

function hexOf(id: Id): string {
  return Buffer.from(id).toString('hex');
}
