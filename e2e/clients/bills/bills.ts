// What each attack cost: a table of what was billed, what can be read for it and what was refused, and the bills that must come out.
import { foldJournal } from '@penstock/billing';
import { mainAlone } from '@penstock/billing/testing';
import pg from 'pg';
import { expect } from 'vitest';
import { readLedger } from '../checker/ledger.ts';
import { recompute } from '../support/recompute.ts';
import { readableBytes } from '../support/stored-batches.ts';
import type { TestSystem } from '../support/system.ts';
import type { Claim, StolenKey } from './stolen-key.ts';

/** A cluster whose key was stolen, and an agent that serves what is in it. */
export interface Target {
  key: StolenKey;
  bootstrap: string;
}

export interface Row {
  attack: string;
  billedBytes: number;
  readableBytes: number;
  refused: string[];
}

/** The columns of the table. */
const NAME_CHARS = 46;
const BYTES_CHARS = 13;
/** Everything is folded before the ledger is read. */
const FOLDED_WITHIN_MS = 1_000;

export function sum<T>(items: readonly T[], size: (item: T) => number): number {
  return items.reduce((total, item) => total + size(item), 0);
}

export const uncompressedBytes = (batches: readonly { uncompressedBytes: number }[]): number =>
  sum(batches, (batch) => batch.uncompressedBytes);

export class Bills {
  readonly #system: TestSystem;
  readonly #ledger: pg.Pool;
  readonly #rows: Row[] = [];
  /** By cluster: the bytes before compression of everything that was accepted. */
  readonly #accepted = new Map<string, number>();

  constructor(system: TestSystem) {
    this.#system = system;
    this.#ledger = new pg.Pool({ connectionString: system.databaseUrl, max: 1 });
  }

  /** Folds the journal like the worker, and returns the bytes in the ledger. */
  async billedBytes(clusterId: string): Promise<number> {
    for (let isCaughtUp = false; !isCaughtUp; ) {
      ({ isCaughtUp } = await foldJournal(this.#ledger, mainAlone, clusterId));
    }
    return (await readLedger(this.#system.databaseUrl, clusterId, FOLDED_WITHIN_MS)).uncompressedBytes;
  }

  /** Says that these batches were accepted, and have to be paid for. */
  owe(clusterId: string, batches: readonly { uncompressedBytes: number }[]): void {
    this.#accepted.set(clusterId, (this.#accepted.get(clusterId) ?? 0) + uncompressedBytes(batches));
  }

  add(row: Row): void {
    this.#rows.push(row);
  }

  /**
   * Runs an attack on topics of a cluster, and adds its row. What it costs is what it wrote.
   * @param work returns what was accepted, and the errors of what was not
   */
  async attack(
    name: string,
    { key, bootstrap }: Target,
    topics: readonly string[],
    work: () => Promise<{ accepted: readonly Claim[]; refused: string[] }>,
  ): Promise<Row> {
    const before = await this.billedBytes(key.clusterId);
    const { accepted, refused } = await work();
    const billedBytes = (await this.billedBytes(key.clusterId)) - before;
    expect(billedBytes, name).toBe(uncompressedBytes(accepted));
    this.owe(key.clusterId, accepted);
    const readable = await Promise.all(topics.map((topic) => readableBytes(bootstrap, topic)));
    const row = { attack: name, billedBytes, readableBytes: sum(readable, (bytes) => bytes), refused };
    this.add(row);
    return row;
  }

  /** Expects that the bills which operators recompute from the journal are what was accepted, to the byte. */
  async expectBills(organizationIds: readonly string[]): Promise<void> {
    const billed = new Map<string, number>();
    for (const organizationId of organizationIds) {
      const { code, output } = await recompute(this.#system, organizationId, ['--json']);
      expect(code, output).toBe(0);
      const { lines } = JSON.parse(output) as { lines: { clusterId: string; product: string; quantity: string }[] };
      for (const { clusterId, quantity } of lines.filter(({ product }) => product === 'writes')) {
        billed.set(clusterId, (billed.get(clusterId) ?? 0) + Number(quantity));
      }
    }
    expect(billed).toEqual(this.#accepted);
  }

  table(): string {
    const line = (name: string, billed: string | number, readable: string | number, refused: string): string => {
      const numbers = [billed, readable].map((bytes) => String(bytes).padStart(BYTES_CHARS));
      return `${name.padEnd(NAME_CHARS)}${numbers.join('')}  ${refused}\n`;
    };
    const rows = this.#rows.map(({ attack, billedBytes, readableBytes: readable, refused }) =>
      line(attack, billedBytes, readable, [...new Set(refused)].join('; ')),
    );
    return [line('attack', 'billed bytes', 'readable', 'refused'), ...rows].join('');
  }

  close(): Promise<void> {
    return this.#ledger.end();
  }
}
