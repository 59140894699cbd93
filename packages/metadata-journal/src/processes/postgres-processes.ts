// The list of processes as rows of the control database. Only its clock decides which of them are alive.
import type { Pool } from 'pg';
import type { ListedProcess, Processes, ProcessReport } from './processes.ts';

/** Rows of processes that ended without leaving are removed after this time. */
const FORGOTTEN_AFTER = "interval '1 hour'";

interface Row {
  owner_id: string;
  owner_url: string;
  owner_admin_url: string | null;
  clusters: number;
  is_accepting: boolean;
  is_draining: boolean;
}

export class PostgresProcesses implements Processes {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async report(process: ProcessReport, ttlMs: number): Promise<ListedProcess[]> {
    const { ownerId, ownerUrl, adminUrl, clusters, isAccepting } = process;
    await this.#pool.query({
      name: 'process-report',
      text: `WITH forgotten AS (
               DELETE FROM metadata_process WHERE expires_at < clock_timestamp() - ${FORGOTTEN_AFTER} AND owner_id <> $1
             )
             INSERT INTO metadata_process (owner_id, owner_url, owner_admin_url, clusters, is_accepting, expires_at)
             VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 millisecond')
             ON CONFLICT (owner_id) DO UPDATE SET clusters = excluded.clusters, is_accepting = excluded.is_accepting,
               expires_at = excluded.expires_at`,
      values: [ownerId, ownerUrl, adminUrl ?? null, clusters, isAccepting, ttlMs],
    });
    return await this.list();
  }

  async expect(ownerId: string): Promise<void> {
    await this.#pool.query({
      name: 'process-expect',
      text: 'UPDATE metadata_process SET clusters = clusters + 1 WHERE owner_id = $1',
      values: [ownerId],
    });
  }

  async leave(ownerId: string): Promise<void> {
    await this.#pool.query({
      name: 'process-leave',
      text: 'DELETE FROM metadata_process WHERE owner_id = $1',
      values: [ownerId],
    });
  }

  async list(): Promise<ListedProcess[]> {
    const { rows } = await this.#pool.query<Row>({
      name: 'process-list',
      text: `SELECT owner_id, owner_url, owner_admin_url, clusters, is_accepting, is_draining
             FROM metadata_process WHERE expires_at > clock_timestamp() ORDER BY owner_id COLLATE "C"`,
    });
    return rows.map((row) => ({
      ownerId: row.owner_id,
      ownerUrl: row.owner_url,
      adminUrl: row.owner_admin_url ?? undefined,
      clusters: row.clusters,
      isAccepting: row.is_accepting,
      isDraining: row.is_draining,
    }));
  }

  async setDraining(ownerId: string, isDraining: boolean): Promise<boolean> {
    const { rowCount } = await this.#pool.query({
      name: 'process-draining',
      text: 'UPDATE metadata_process SET is_draining = $2 WHERE owner_id = $1 AND expires_at > clock_timestamp()',
      values: [ownerId, isDraining],
    });
    return rowCount === 1;
  }
}
