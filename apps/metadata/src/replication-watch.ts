// Checks for each cell whether acknowledged writes survive the loss of PostgreSQL's primary, and logs when that changes.
import { type Replication, type ReplicationKind, readReplication } from '@penstock/metadata-journal';
import { every, type Logger } from '@penstock/platform';
import type { Family } from '@penstock/telemetry';
import type { Pool } from 'pg';
import type { Clock } from './owners/clock.ts';

const INTERVAL_MS = 30_000;
const KINDS: readonly ReplicationKind[] = ['synchronous', 'asynchronous', 'single', 'unknown'];
const NOT_ASKED: Replication = { kind: 'unknown', detail: 'the database was not asked yet' };

interface Watched {
  readonly cell: string;
  readonly pool: Pool;
  replication: Replication;
  reportedKind: ReplicationKind | undefined;
}

export class ReplicationWatch {
  readonly #watched: readonly Watched[];
  readonly #logger: Logger;
  readonly #stop: () => void;

  /** @param pools by cell name */
  constructor(pools: ReadonlyMap<string, Pool>, clock: Clock, logger: Logger) {
    this.#watched = [...pools].map(([cell, pool]) => ({ cell, pool, replication: NOT_ASKED, reportedKind: undefined }));
    this.#logger = logger;
    void this.check();
    this.#stop = every(INTERVAL_MS, () => this.check(), { timers: clock });
  }

  /** Queries both databases and updates the state. */
  async check(): Promise<void> {
    await Promise.all(
      this.#watched.map(async (watched) => {
        watched.replication = await readReplication(watched.pool);
        this.#tell(watched);
      }),
    );
  }

  /** One line per cell, for operators. */
  describe(): string {
    return this.#watched
      .map(({ cell, replication: { kind, detail } }) => `replication of cell ${cell}: ${kind} (${detail})`)
      .join('\n');
  }

  /** One state set per cell. */
  metrics(): Family {
    const name = 'penstock_metadata_replication';
    return {
      name,
      type: 'stateset',
      help: 'Whether acknowledged writes survive the loss of the primary of PostgreSQL.',
      samples: this.#watched.flatMap(({ cell, replication }) =>
        KINDS.map((kind) => ({
          suffix: '' as const,
          labels: { cell, [name]: kind },
          value: kind === replication.kind ? 1 : 0,
        })),
      ),
    };
  }

  stop(): void {
    this.#stop();
  }

  #tell(watched: Watched): void {
    const { cell, replication } = watched;
    const { kind, detail } = replication;
    if (kind === watched.reportedKind) {
      return;
    }
    watched.reportedKind = kind;
    const facts = { cell, replication: kind, detail };
    if (kind === 'asynchronous') {
      this.#logger.warn(
        facts,
        'a failover of PostgreSQL may lose acknowledged writes: see infra/docs/metadata-recovery.md',
      );
    } else {
      this.#logger.info(facts, 'replication of PostgreSQL');
    }
  }
}
