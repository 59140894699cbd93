// In which cell a cluster lives, as the control plane's database says it, and as this process last heard.
import type { Pool } from 'pg';

/** No such virtual cluster, so it lives nowhere. */
export class UnknownCluster extends Error {
  override readonly name = 'UnknownCluster';

  constructor(clusterId: string) {
    super(`there is no virtual cluster ${clusterId}`);
  }
}

export interface CellDirectory {
  /** @throws UnknownCluster */
  cellOf(clusterId: string): Promise<string>;
  /** Notes that a cluster lives in `to` now, if it was noted in `from`. */
  move(clusterId: string, from: string, to: string): Promise<void>;
}

export class PostgresCellDirectory implements CellDirectory {
  readonly #pool: Pool;

  /** @param pool leads to the control plane's database */
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

/** What this process knows of where clusters live; asked for anew whenever a cluster is opened. */
export class Homes {
  readonly #directory: CellDirectory;
  readonly #cells = new Map<string, string>();

  constructor(directory: CellDirectory) {
    this.#directory = directory;
  }

  /** The cell as it was last heard; an owner that works there is fenced if the cluster has moved since. */
  async of(clusterId: string): Promise<string> {
    return this.#cells.get(clusterId) ?? (await this.lookUp(clusterId));
  }

  /** What the control plane says now, without working there from now on. */
  async ask(clusterId: string): Promise<string> {
    return await this.#directory.cellOf(clusterId);
  }

  async lookUp(clusterId: string): Promise<string> {
    const cell = await this.#directory.cellOf(clusterId);
    this.#cells.set(clusterId, cell);
    return cell;
  }
}
