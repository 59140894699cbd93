import { generateAgentKey } from '@penstock/platform';
import { beforeEach, describe, expect, test } from 'vitest';
import { AddressBudget } from './address-budget.ts';
import { AgentKeys, type AgentKeysOptions } from './agent-keys.ts';

const HOME = '198.51.100.7';
const FLOODER = '203.0.113.9';
const BURST = 20;

interface KeyFacts {
  is_revoked?: boolean;
  is_expired?: boolean;
  networks?: string[];
}

/** A table of agent keys that answers only when the test releases it. */
class KeyTable {
  readonly #rows = new Map<string, object>();
  readonly #held: (() => void)[] = [];
  isHolding = false;
  lookups = 0;
  uses = 0;
  readonly networks: unknown[][] = [];

  add(hash: Uint8Array, row: KeyFacts = {}): void {
    const facts = {
      id: 'key',
      cluster_id: 'cluster',
      organization_id: 'org',
      is_revoked: false,
      is_expired: false,
      is_deleted: false,
      networks: [],
      suspended_reason: null,
      addresses: [],
    };
    this.#rows.set(Buffer.from(hash).toString('hex'), { ...facts, ...row });
  }

  readonly query = async ({ name, values }: { name: string; values: unknown[] }) => {
    if (name === 'agent-key-used') {
      this.uses += 1;
      return { rows: [] };
    }
    if (name === 'agent-key-network') {
      this.networks.push(values);
      return { rows: [] };
    }
    this.lookups += 1;
    if (this.isHolding) {
      await new Promise<void>((resolve) => this.#held.push(resolve));
    }
    const row = this.#rows.get((values[0] as Buffer).toString('hex'));
    return { rows: row === undefined ? [] : [row] };
  };

  get held(): number {
    return this.#held.length;
  }

  release(): void {
    this.isHolding = false;
    for (const resolve of this.#held.splice(0)) {
      resolve();
    }
  }
}

let table: KeyTable;
let keys: AgentKeys;
let nowMs: number;

beforeEach(() => {
  table = new KeyTable();
  nowMs = 0;
  keys = new AgentKeys({
    pool: table as unknown as AgentKeysOptions['pool'],
    monotonicMs: () => nowMs,
    onUseNotRecorded: () => undefined,
    addressBudget: new AddressBudget({ burst: BURST, perSecond: 1, maxAddresses: 100 }),
  });
});

/** Issues a valid key for a cluster. */
function issued(row: KeyFacts = {}): string {
  const key = generateAgentKey();
  table.add(key.hash, row);
  return key.plaintext;
}

/** A well-formed key that was never issued. */
const invented = (): string => generateAgentKey().plaintext;

async function outcomes(secrets: readonly string[], address: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of await Promise.all(secrets.map((secret) => keys.verify(secret, () => address)))) {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

const many = (count: number, make: () => string): string[] => Array.from({ length: count }, make);

/** Lets everything in progress run as far as it can. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a flood of unknown keys', () => {
  // It may continue slowly.
  test('is refused by address before it reaches the database', async () => {
    expect(await outcomes(many(100, invented), FLOODER)).toEqual({ unknown: BURST, throttled: 100 - BURST });
    expect(table.lookups).toBe(BURST);
    expect(await keys.verify(invented(), () => FLOODER)).toEqual({ outcome: 'throttled', retryAfterMs: 1_000 });
    nowMs += 3_000;
    expect(await outcomes(many(100, invented), FLOODER)).toEqual({ unknown: 3, throttled: 97 });
  });

  test('does not affect other addresses', async () => {
    await outcomes(many(100, invented), FLOODER);
    expect((await keys.verify(issued(), () => HOME)).outcome).toBe('good');
  });

  // Even from the same address with an expired cache entry.
  test('never delays a key that was valid before', async () => {
    const good = issued();
    await keys.verify(good, () => FLOODER);
    await outcomes(many(100, invented), FLOODER);
    for (let second = 0; second < 10; second += 1) {
      nowMs += 2_000;
      await outcomes(many(100, invented), FLOODER);
      expect((await keys.verify(good, () => FLOODER)).outcome).toBe('good');
    }
  });

  test('is looked up two at a time, leaving connections free', async () => {
    const good = issued();
    await keys.verify(good, () => HOME);
    table.isHolding = true;
    const flood = outcomes(many(BURST, invented), FLOODER);
    await settled();
    expect(table.held).toBe(2);
    nowMs += 2_000;
    const renewed = keys.verify(good, () => HOME);
    await settled();
    expect(table.held).toBe(3);
    table.release();
    expect((await renewed).outcome).toBe('good');
    expect(await flood).toEqual({ unknown: BURST });
  });

  test('evicts no valid key from the cache', async () => {
    const good = issued();
    await keys.verify(good, () => HOME);
    for (let block = 0; block < 12; block += 1) {
      const address = `192.0.2.${block}`;
      for (let round = 0; round < 50; round += 1) {
        await outcomes(many(BURST, invented), `${address}-${round}`);
      }
    }
    const before = table.lookups;
    expect((await keys.verify(good, () => HOME)).outcome).toBe('good');
    expect(table.lookups).toBe(before);
    // Of the 12,000 unknown ones, the last 10,000.
    expect(keys.counts.remembered).toBe(10_001);
  });

  test('causes no lookup and no memory if the keys are malformed', async () => {
    expect(
      await outcomes(
        many(1_000, () => 'psk_agent_nonsense'),
        FLOODER,
      ),
    ).toEqual({ malformed: 1_000 });
    expect(table.lookups).toBe(0);
    expect((await keys.verify(issued(), () => FLOODER)).outcome).toBe('good');
  });

  test('that repeats one key causes one lookup', async () => {
    const key = invented();
    expect(
      await outcomes(
        many(500, () => key),
        FLOODER,
      ),
    ).toEqual({ unknown: 500 });
    expect(table.lookups).toBe(1);
  });

  // The others are asked to retry.
  test('from too many addresses never refuses known valid keys', async () => {
    const good = issued();
    await keys.verify(good, () => HOME);
    table.isHolding = true;
    const flood = Array.from({ length: 6_000 }, (_, number) => keys.verify(invented(), () => `flooder-${number}`));
    expect((await keys.verify(good, () => HOME)).outcome).toBe('good');
    table.release();
    const verdicts = (await Promise.all(flood)).map(({ outcome }) => outcome);
    expect(verdicts.filter((outcome) => outcome === 'busy')).toHaveLength(6_000 - 5_002);
  });
});

describe('valid keys', () => {
  test('cost an address nothing when all agents reconnect', async () => {
    for (let wave = 0; wave < 5; wave += 1) {
      expect(
        await outcomes(
          many(BURST, () => issued()),
          HOME,
        ),
      ).toEqual({ good: BURST });
    }
  });

  // And not looked up more often than that.
  test('are refused within two seconds of their revocation', async () => {
    const key = generateAgentKey();
    table.add(key.hash);
    await keys.verify(key.plaintext, () => HOME);
    table.add(key.hash, { is_revoked: true });
    nowMs += 2_000;
    expect((await keys.verify(key.plaintext, () => HOME)).outcome).toBe('revoked');
    const before = table.lookups;
    expect(
      await outcomes(
        many(50, () => key.plaintext),
        HOME,
      ),
    ).toEqual({ revoked: 50 });
    expect(table.lookups).toBe(before);
  });

  // So no call waits for the database.
  test('are looked up again before their answer expires', async () => {
    const good = issued();
    await keys.verify(good, () => HOME);
    table.isHolding = true;
    nowMs += 1_200;
    expect(await outcomes([good, good], HOME)).toEqual({ good: 2 });
    expect(table.lookups).toBe(2);
    table.release();
    await settled();
    nowMs += 1_000;
    table.isHolding = true;
    expect((await keys.verify(good, () => HOME)).outcome).toBe('good');
    table.release();
  });

  test('are served until expiry if their renewed lookup fails', async () => {
    const good = issued();
    await keys.verify(good, () => HOME);
    Object.assign(table, { query: () => Promise.reject(new Error('down')) });
    nowMs += 1_200;
    expect((await keys.verify(good, () => HOME)).outcome).toBe('good');
    await settled();
    nowMs += 500;
    await expect(keys.verify(good, () => HOME)).rejects.toThrow('down');
  });

  test('have their last use recorded once a minute', async () => {
    const good = issued();
    for (let second = 0; second < 120; second += 1) {
      await keys.verify(good, () => HOME);
      nowMs += 1_000;
    }
    expect(table.uses).toBe(2);
  });

  test('are not treated as unknown when the database is unreachable', async () => {
    const good = issued();
    await keys.verify(good, () => HOME);
    nowMs += 2_000;
    const { query } = table;
    Object.assign(table, { query: () => Promise.reject(new Error('down')) });
    await expect(keys.verify(good, () => HOME)).rejects.toThrow('down');
    Object.assign(table, { query });
    expect((await keys.verify(good, () => HOME)).outcome).toBe('good');
  });
});

describe('the limits of a key', () => {
  test('an expired key is refused', async () => {
    expect((await keys.verify(issued({ is_expired: true }), () => HOME)).outcome).toBe('expired');
  });

  test('a key with networks is refused from elsewhere on every call', async () => {
    const secret = issued({ networks: ['198.51.100.0/24', '2001:db8::/32'] });
    const from = async (address: string) => (await keys.verify(secret, () => address)).outcome;
    expect(await from(HOME)).toBe('good');
    expect(await from('203.0.113.9')).toBe('wrong-network');
    expect(await from('2001:db8:1::7')).toBe('good');
    expect(await from('2001:dead::7')).toBe('wrong-network');
    expect(await from('unknown')).toBe('wrong-network');
    expect(table.lookups).toBe(1);
  });

  test('records each network once, within bounds', async () => {
    const secret = issued();
    for (const address of [HOME, '198.51.100.99', HOME, '2001:db8:1:2::5', '2001:db8:1:3::6', 'unknown']) {
      await keys.verify(secret, () => address);
    }
    expect(table.networks.map(([, network, isRefused]) => [network, isRefused])).toEqual([
      ['198.51.100.0/24', false],
      ['2001:db8:1::/48', false],
    ]);
    for (let at = 0; at < 1_000; at += 1) {
      await keys.verify(secret, () => `10.${at >> 8}.${at & 255}.1`);
    }
    expect(table.networks).toHaveLength(200);
    expect(table.uses).toBe(1);
  });
});
