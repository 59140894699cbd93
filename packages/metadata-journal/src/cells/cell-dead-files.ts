// The dead files of all cells behind one interface. Those of a cluster are in the database of its journal, so that a restored database has
// both as of one time.
import type { DeadFile, DeadFiles, DeadFileTotals, TakeOptions } from '../dead-files.ts';
import { PostgresDeadFiles } from '../postgres/postgres-dead-files.ts';
import type { Cells } from './cells.ts';
import type { Homes } from './homes.ts';

export class CellDeadFiles implements DeadFiles {
  readonly #cells: Cells;
  readonly #homes: Homes;
  readonly #files = new Map<string, PostgresDeadFiles>();

  constructor(cells: Cells, homes: Homes) {
    this.#cells = cells;
    this.#homes = homes;
  }

  async add(clusterId: string, files: readonly DeadFile[]): Promise<void> {
    await (await this.#of(clusterId)).add(clusterId, files);
  }

  async take(clusterId: string, options: TakeOptions): Promise<Uint8Array[]> {
    return await (await this.#of(clusterId)).take(clusterId, options);
  }

  async remove(clusterId: string, fileIds: readonly Uint8Array[]): Promise<void> {
    await (await this.#of(clusterId)).remove(clusterId, fileIds);
  }

  async holds(clusterId: string, fileIds: readonly Uint8Array[]): Promise<boolean[]> {
    return await (await this.#of(clusterId)).holds(clusterId, fileIds);
  }

  async totals(clusterId: string): Promise<DeadFileTotals> {
    return await (await this.#of(clusterId)).totals(clusterId);
  }

  async #of(clusterId: string): Promise<PostgresDeadFiles> {
    const cell = await this.#homes.of(clusterId);
    let files = this.#files.get(cell);
    if (files === undefined) {
      files = new PostgresDeadFiles(this.#cells.pool(cell));
      this.#files.set(cell, files);
    }
    return files;
  }
}
