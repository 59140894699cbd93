// The cell of each cluster, according to the control plane's database and to this process's cache.
import type { Pool } from 'pg';

/** No such virtual cluster, so it has no cell. */
export class UnknownCluster extends Error {
  override readonly name = 'UnknownCluster';

  constructor(clusterId: string) {
    super(`there is no virtual cluster ${clusterId}`);
  }
}

export interface CellDirectory {
  /** @throws UnknownCluster */
  cellOf(clusterId: string): Promise<string>;
  /** Records that a cluster is in `to` now, if it was recorded in `from`. */
  move(clusterId: string, from: string, to: string): Promise<void>;
}

export class PostgresCellDirectory implements CellDirectory {
  readonly #pool: Pool;

  /** @param pool for the control plane's database */
  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async cellOf(clusterId: string): Promise<string> {
    const { rows } = await this.#pool.query<{ cell: string }>({
      name: 'cell-of-cluster',
      text: 'SELECT cell FROM virtual_cluster WHERE id = $1',
      values: [clusterId],
    });
    const [row] = rows;
    if (row === undefined) {
      throw new UnknownCluster(clusterId);
    }
    return row.cell;
  }

  async move(clusterId: string, from: string, to: string): Promise<void> {
    await this.#pool.query({
      name: 'cell-move-cluster',
      text: 'UPDATE virtual_cluster SET cell = $3 WHERE id = $1 AND cell = $2',
      values: [clusterId, from, to],
    });
  }
}

/** This process's cache of the clusters' cells; refreshed whenever a cluster is opened. */
export class Homes {
  readonly #directory: CellDirectory;
  readonly #cells = new Map<string, string>();

  constructor(directory: CellDirectory) {
    this.#directory = directory;
  }

  /** The cached cell. If the cluster has moved since, an owner that works there is fenced. */
  async of(clusterId: string): Promise<string> {
    return this.#cells.get(clusterId) ?? (await this.lookUp(clusterId));
  }

  /** Asks the control plane, without changing the cache. */
  async ask(clusterId: string): Promise<string> {
    return await this.#directory.cellOf(clusterId);
  }

  async lookUp(clusterId: string): Promise<string> {
    const cell = await this.#directory.cellOf(clusterId);
    this.#cells.set(clusterId, cell);
    return cell;
  }
}
