import type { ListedProcess } from '@penstock/metadata-journal';
import { expect, test } from 'vitest';
import { drainRefusal, nextReceiver } from './next-receiver.ts';

type Own = Partial<Pick<ListedProcess, 'clusters' | 'isAccepting' | 'isDraining'>>;

function processesOf(...own: Own[]): ListedProcess[] {
  return own.map((facts, index) => {
    const ownerId = `p${index}`;
    return { ownerId, ownerUrl: `http://${ownerId}`, clusters: 0, isAccepting: true, isDraining: false, ...facts };
  });
}

function receiverOf(processes: ListedProcess[], isShedding = false, at = 0): string | undefined {
  const self = processes[at];
  return self === undefined ? undefined : nextReceiver({ self, processes, isShedding })?.ownerId;
}

/** Hands over one by one, each process in its turn, until nobody has anything to hand over. Returns the moves. */
function settle(processes: ListedProcess[]): number {
  const shedding = new Set<string>();
  let [moves, before] = [0, -1];
  while (moves !== before) {
    before = moves;
    for (const [at, self] of processes.entries()) {
      const id = receiverOf(processes, shedding.has(self.ownerId), at);
      const to = processes.findIndex(({ ownerId }) => ownerId === id);
      const receiver = processes[to];
      if (receiver === undefined) {
        shedding.delete(self.ownerId);
        continue;
      }
      shedding.add(self.ownerId);
      processes[at] = { ...self, clusters: self.clusters - 1 };
      processes[to] = { ...receiver, clusters: receiver.clusters + 1 };
      moves += 1;
    }
  }
  return moves;
}

const countsOf = (processes: readonly ListedProcess[]): number[] => processes.map(({ clusters }) => clusters);

test('a surplus goes to the process that owns the least', () => {
  expect(receiverOf(processesOf({ clusters: 90 }, { clusters: 10 }, { clusters: 0 }))).toBe('p2');
});

test('after a restart no process owns more than 1.3 times the mean', () => {
  for (const [first, others] of [
    [100, [0]],
    [100, [0, 0]],
    [50, [50, 0]],
    [1_000, [0, 1_000]],
  ] as const) {
    const processes = processesOf({ clusters: first }, ...others.map((clusters) => ({ clusters })));
    settle(processes);
    const counts = countsOf(processes);
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    expect(Math.max(...counts)).toBeLessThanOrEqual(1.3 * mean);
  }
});

// 1.2 times the mean where that is a whole number or more; clusters are whole.
test('any distribution settles near its mean, and stays there', () => {
  for (let first = 0; first <= 12; first += 1) {
    for (let second = 0; second <= 12; second += 1) {
      for (let third = 0; third <= 12; third += 1) {
        const processes = processesOf({ clusters: first }, { clusters: second }, { clusters: third });
        const total = first + second + third;
        expect(settle(processes)).toBeLessThanOrEqual(total);
        expect(Math.max(...countsOf(processes))).toBeLessThanOrEqual(Math.max(Math.ceil(total / 3), (1.2 * total) / 3));
        expect(settle(processes)).toBe(0);
      }
    }
  }
});

test('processes near the mean leave each other alone', () => {
  expect(receiverOf(processesOf({ clusters: 55 }, { clusters: 45 }))).toBeUndefined();
  expect(receiverOf(processesOf({ clusters: 1 }, { clusters: 0 }))).toBeUndefined();
  expect(receiverOf(processesOf({ clusters: 0 }, { clusters: 0 }))).toBeUndefined();
});

test('a process that has begun goes on down to the mean', () => {
  const near = processesOf({ clusters: 55 }, { clusters: 45 });
  expect(receiverOf(near, true)).toBe('p1');
  expect(receiverOf(processesOf({ clusters: 50 }, { clusters: 50 }), true)).toBeUndefined();
});

test('a drained process gives up everything, and gets nothing', () => {
  const processes = processesOf({ clusters: 3, isDraining: true }, { clusters: 40 }, { clusters: 40 });
  settle(processes);
  expect(countsOf(processes)).toEqual([0, 42, 41]);
});

test('processes that open no further clusters get none', () => {
  expect(receiverOf(processesOf({ clusters: 90 }, { isAccepting: false }, { isDraining: true }))).toBeUndefined();
  expect(receiverOf(processesOf({ clusters: 3, isDraining: true }, { isAccepting: false }))).toBeUndefined();
});

test('a drained process refuses clusters while another can serve', () => {
  const [drained, other] = [{ isDraining: true }, {}];
  const refusalOf = (...own: Own[]) => {
    const processes = processesOf(...own);
    const [self] = processes;
    return self === undefined ? undefined : drainRefusal({ self, processes });
  };
  expect(refusalOf(drained, other)).toMatch('drains');
  expect(refusalOf(drained)).toBeUndefined();
  expect(refusalOf(drained, drained)).toBeUndefined();
  expect(refusalOf(drained, { isAccepting: false })).toBeUndefined();
  expect(refusalOf(other, other)).toBeUndefined();
});
