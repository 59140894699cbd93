import { type LeaseOwner, MemoryProcesses } from '@penstock/metadata-journal';
import { renderOpenMetrics } from '@penstock/telemetry';
import { beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../testing/cluster-fixture.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { Balancer, type MovableClusters } from './balancer.ts';

const SETTLED_MS = 60_000;

let clock: ManualClock;
let processes: MemoryProcesses;
let hosts: Map<string, Host>;

class Host implements MovableClusters {
  readonly owner: LeaseOwner;
  readonly balancer: Balancer;
  /** In the order of their traffic, the quietest first. */
  clusters: string[];
  isAccepting = true;
  failure: Error | undefined;

  constructor(name: string, clusters: string[] = []) {
    this.owner = { ownerId: name, ownerUrl: `http://${name}` };
    this.clusters = clusters;
    hosts.set(name, this);
    this.balancer = new Balancer({
      processes,
      owner: this.owner,
      clusters: this,
      isAccepting: () => this.isAccepting,
      clock,
      logger: silentLogger,
    });
  }

  get clusterCount(): number {
    return this.clusters.length;
  }

  quietestFirst(): string[] {
    return this.clusters;
  }

  async handOver(clusterId: string, to: LeaseOwner): Promise<boolean> {
    this.clusters = this.clusters.filter((id) => id !== clusterId);
    if (this.failure !== undefined) {
      throw this.failure;
    }
    hosts.get(to.ownerId)?.clusters.push(clusterId);
    return true;
  }

  get metrics(): string {
    return renderOpenMetrics(this.balancer.metrics());
  }
}

function named(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `c${index}`);
}

beforeEach(() => {
  clock = new ManualClock();
  processes = new MemoryProcesses(() => clock.monotonicMs());
  hosts = new Map();
});

test('a process that starts later gets its share, quiet ones first', async () => {
  const old = new Host('old', named(100));
  await clock.advance(SETTLED_MS);
  expect(old.clusters).toHaveLength(100);
  const fresh = new Host('fresh');
  await clock.advance(SETTLED_MS);
  expect([old.clusters.length, fresh.clusters]).toEqual([50, named(50)]);
  expect(old.metrics).toContain('penstock_metadata_moves_total{reason="balance"} 50');
  await clock.advance(SETTLED_MS);
  expect([old.clusters.length, fresh.clusters.length]).toEqual([50, 50]);
});

test('balance waits for processes that come and go', async () => {
  const old = new Host('old', named(10));
  await clock.advance(SETTLED_MS);
  new Host('fresh');
  await clock.advance(10_000);
  new Host('another');
  await clock.advance(10_000);
  expect(old.clusters).toHaveLength(10);
});

test('a drained process empties at once and stays empty', async () => {
  const [one, two] = [new Host('one', named(5)), new Host('two', ['x'])];
  await clock.advance(1_000);
  await processes.setDraining('one', true);
  await clock.advance(5_000);
  expect([one.clusters, two.clusters]).toEqual([[], ['x', ...named(5)]]);
  expect(one.balancer.refusal()).toMatch('drains');
  expect(one.metrics).toContain('penstock_metadata_draining 1');
  expect(one.metrics).toContain('penstock_metadata_moves_total{reason="drain"} 5');
  await clock.advance(SETTLED_MS);
  expect(one.clusters).toEqual([]);
  await processes.setDraining('one', false);
  await clock.advance(SETTLED_MS);
  expect([one.clusters.length, two.clusters.length, one.balancer.refusal()]).toEqual([3, 3, undefined]);
});

test('a drain without another process keeps the clusters', async () => {
  const [one, two] = [new Host('one', named(5)), new Host('two')];
  two.isAccepting = false;
  await clock.advance(2_000);
  await processes.setDraining('one', true);
  await clock.advance(SETTLED_MS);
  expect([one.clusters.length, one.balancer.refusal()]).toEqual([5, undefined]);
});

test('two processes that drain at once share the third fairly', async () => {
  const [one, two, three, four] = [new Host('one', named(9)), new Host('two', named(9)), new Host('3'), new Host('4')];
  await clock.advance(1_000);
  await processes.setDraining('one', true);
  await processes.setDraining('two', true);
  await clock.advance(20_000);
  expect([one.clusters.length, two.clusters.length]).toEqual([0, 0]);
  expect([three.clusters.length, four.clusters.length]).toEqual([9, 9]);
});

test('a process that ended gets nothing', async () => {
  const [one, two] = [new Host('one', named(4)), new Host('two')];
  await clock.advance(1_000);
  await two.balancer.stop();
  await processes.setDraining('one', true);
  await clock.advance(SETTLED_MS);
  expect(one.clusters).toHaveLength(4);
});

test('a failed move is counted, and the next round goes on', async () => {
  const [one, two] = [new Host('one', named(3)), new Host('two')];
  one.failure = new Error('the lease thread died');
  await clock.advance(1_000);
  await processes.setDraining('one', true);
  await clock.advance(1_000);
  expect(one.metrics).toContain('penstock_metadata_moves_failed_total 1');
  one.failure = undefined;
  await clock.advance(SETTLED_MS);
  expect([one.clusters, two.clusters]).toEqual([[], ['c1', 'c2']]);
});

test('a list that cannot be read moves nothing and is tried again', async () => {
  const [one, two] = [new Host('one', named(10)), new Host('two')];
  const report = processes.report.bind(processes);
  processes.report = async () => {
    throw new Error('the database cannot be reached');
  };
  await clock.advance(SETTLED_MS);
  expect([one.clusters.length, two.clusters.length]).toEqual([10, 0]);
  processes.report = report;
  await clock.advance(SETTLED_MS);
  expect([one.clusters.length, two.clusters.length]).toEqual([5, 5]);
});
