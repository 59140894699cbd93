// Knows whether acknowledged writes survive the loss of PostgreSQL's primary, and says so when that changes.
import { type Replication, type ReplicationKind, readReplication } from '@penstock/metadata-journal';
import type { Logger } from '@penstock/platform';
import type { Pool } from 'pg';
import { type Clock, repeat } from './owners/clock.ts';

const INTERVAL_MS = 30_000;
const KINDS: readonly ReplicationKind[] = ['synchronous', 'asynchronous', 'single', 'unknown'];

export class ReplicationWatch {
  readonly #pool: Pool;
  readonly #logger: Logger;
  readonly #stop: () => void;
  #replication: Replication = { kind: 'unknown', detail: 'the database was not asked yet' };
  #toldKind: ReplicationKind | undefined;

  constructor(pool: Pool, clock: Clock, logger: Logger) {
    this.#pool = pool;
    this.#logger = logger;
    void this.look();
    this.#stop = repeat(clock, INTERVAL_MS, () => this.look());
  }

  /** Asks the database. */
  async look(): Promise<void> {
    this.#replication = await readReplication(this.#pool);
    const { kind, detail } = this.#replication;
    if (kind === this.#toldKind) return;
    this.#toldKind = kind;
    const facts = { replication: kind, detail };
    if (kind === 'asynchronous') {
      this.#logger.warn(
        facts,
        'a failover of PostgreSQL may lose acknowledged writes: see infra/docs/metadata-recovery.md',
      );
    } else {
      this.#logger.info(facts, 'replication of PostgreSQL');
    }
  }

  /** In one line, for operators. */
  describe(): string {
    return `replication: ${this.#replication.kind} (${this.#replication.detail})`;
  }

  /** As a state set of OpenMetrics. */
  metrics(): string {
    const name = 'penstock_metadata_replication';
    const lines = KINDS.map((kind) => `${name}{${name}="${kind}"} ${kind === this.#replication.kind ? 1 : 0}\n`);
    return `# TYPE ${name} stateset\n# HELP ${name} Whether acknowledged writes survive the loss of the primary of PostgreSQL.\n${lines.join('')}`;
  }

  stop(): void {
    this.#stop();
  }
}
