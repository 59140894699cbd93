// A control database, which is the cell 'main', and a second cell, for the tests of one file. Call it at the top of the file.
import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { Pool } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { ClusterIdentity } from '../../journal.ts';
import { JOURNAL_START, type JournalPosition } from '../../position.ts';
import { PostgresJournal } from '../../postgres/postgres-journal.ts';
import { Cells } from '../cells.ts';
import { Homes, PostgresCellDirectory } from '../homes.ts';
import { initCell } from '../init-cell.ts';
import type { MoveOptions } from '../move-cluster.ts';

export interface TwoCells {
  readonly cells: Cells;
  readonly main: Pool;
  readonly other: Pool;
  readonly directory: PostgresCellDirectory;
  readonly urls: ReadonlyMap<string, string>;
  homes(): Homes;
  newCluster(): Promise<ClusterIdentity>;
  /** Appends entries after `previous` in a cell. */
  append(cell: string, cluster: ClusterIdentity, count: number, previous?: JournalPosition): Promise<JournalPosition>;
  /** The options for moving this cluster. */
  moveOptions(cluster: ClusterIdentity, toCell: string): MoveOptions;
}

export function setUpTwoCells(): TwoCells {
  let opened: { databases: TestDatabase[]; cells: Cells; urls: ReadonlyMap<string, string> } | undefined;
  beforeAll(async () => {
    const databases = await Promise.all([createTestDatabase(), createTestDatabase({ isMigrated: false })]);
    const urls = new Map([
      ['main', databases[0].url],
      ['other', databases[1].url],
    ]);
    const cells = new Cells(urls, (connectionString) => {
      const pool = new Pool({ connectionString, max: 4 });
      // Dropping the database breaks connections that are still closing.
      pool.on('error', () => undefined);
      return pool;
    });
    await initCell(cells.pool('other'));
    await cells.pool('main').query(`INSERT INTO organization (id, name, slug) VALUES ('org', 'Acme', 'acme')`);
    opened = { databases, cells, urls };
  });
  afterAll(async () => {
    await opened?.cells.close();
    await Promise.all(opened?.databases.map((database) => database.drop()) ?? []);
  });
  function current() {
    if (opened === undefined) {
      throw new Error('The databases are open within tests alone.');
    }
    return opened;
  }
  return {
    get cells() {
      return current().cells;
    },
    get urls() {
      return current().urls;
    },
    get main() {
      return current().cells.pool('main');
    },
    get other() {
      return current().cells.pool('other');
    },
    get directory() {
      return new PostgresCellDirectory(current().cells.pool('main'));
    },
    homes() {
      return new Homes(this.directory);
    },
    async newCluster() {
      const clusterId = randomUUID();
      await this.main.query(
        `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at) VALUES ($1, 'org', $2, 'aws', 'x', now())`,
        [clusterId, clusterId],
      );
      return { clusterId, organizationId: 'org' };
    },
    async append(cell, cluster, count, previous = JOURNAL_START) {
      const journal = new PostgresJournal(current().cells.pool(cell));
      let position = previous;
      for (let n = 0; n < count; n += 1) {
        position = await journal.append(cluster, position, Buffer.from(`entry ${position.seq + 1} of ${cell}`));
      }
      return position;
    },
    moveOptions({ clusterId, organizationId }, toCell) {
      const { cells } = current();
      const fenceEntry = (): Uint8Array => Buffer.from(`fence ${randomUUID()}`);
      return { cells, directory: this.directory, clusterId, organizationId, toCell, fenceEntry };
    },
  };
}
