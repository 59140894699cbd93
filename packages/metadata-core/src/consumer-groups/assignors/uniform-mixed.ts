// The assignor `uniform` for members with different subscriptions: those of a topic have numbers of partitions that differ by one at most, as
// far as moving partitions of that topic can achieve it, and as few partitions as possible move.

import { wordAt } from '../../model/checked.ts';
import type { IdKey } from '../../model/ids.ts';
import { type Assignment, type AssignmentInput, type AssignmentSteps, WorkMeter } from './assignment.ts';
import { Heap } from './heap.ts';

/** As Kafka's. Each round about halves an imbalance between members whose subscriptions overlap. */
const MAX_ROUNDS = 16;
const NOBODY = -1;

export function* balanceUniformly({ members, topics }: AssignmentInput): AssignmentSteps {
  const meter = new WorkMeter();
  const subscribers = new Map<IdKey, number[]>();
  const owners = new Map<IdKey, Int32Array>();
  const loads = new Uint32Array(members.length);
  for (const [at, member] of members.entries()) {
    for (const topic of member.topics) {
      let here = subscribers.get(topic);
      if (here === undefined) {
        here = [];
        subscribers.set(topic, here);
        owners.set(topic, new Int32Array(topics.get(topic) ?? 0).fill(NOBODY));
      }
      here.push(at);
    }
    if (meter.spend(1 + member.topics.length)) {
      yield;
    }
  }
  for (const [at, member] of members.entries()) {
    const mine = new Set(member.topics);
    for (const [topic, numbers] of member.current) {
      const here = mine.has(topic) ? owners.get(topic) : undefined;
      for (const partition of numbers) {
        if (here !== undefined && partition < here.length) {
          here[partition] = at;
          loads[at] = wordAt(loads, at) + 1;
        }
      }
      if (meter.spend(numbers.length)) {
        yield;
      }
    }
  }
  // Topics whose subscribers must take much come first: others can still be given to those that got little.
  const order = [...owners.keys()].sort((a, b) => {
    const [subscribersOfA, subscribersOfB] = [subscribers.get(a)?.length ?? 1, subscribers.get(b)?.length ?? 1];
    const share = (topics.get(b) ?? 0) / subscribersOfB - (topics.get(a) ?? 0) / subscribersOfA;
    return share || subscribersOfA - subscribersOfB || (a < b ? -1 : 1);
  });
  for (const topic of order) {
    yield* giveFree(owners.get(topic) ?? new Int32Array(0), subscribers.get(topic) ?? [], loads, meter);
  }
  let quiet = 0;
  for (let round = 0; round < MAX_ROUNDS && quiet < order.length; round += 1) {
    for (const topic of order) {
      const moved = yield* level(owners.get(topic) ?? new Int32Array(0), subscribers.get(topic) ?? [], loads, meter);
      quiet = moved === 0 ? quiet + 1 : 0;
    }
  }
  return yield* collect(members.length, owners, meter);
}

/** Gives partitions without an owner to the subscribers that have least. */
function* giveFree(
  owners: Int32Array,
  subscribers: readonly number[],
  loads: Uint32Array,
  meter: WorkMeter,
): Generator<void, void> {
  if (!owners.includes(NOBODY)) {
    return;
  }
  const least = heapOf(subscribers, loads, 1);
  for (const [partition, owner] of owners.entries()) {
    if (owner !== NOBODY) {
      continue;
    }
    const to = least.pop();
    if (to === undefined) {
      return;
    }
    owners[partition] = to;
    loads[to] = wordAt(loads, to) + 1;
    least.push(to);
    if (meter.spend(2)) {
      yield;
    }
  }
}

/** Moves partitions of a topic from the subscribers that have most to those that have least. Returns how many. */
function* level(
  owners: Int32Array,
  subscribers: readonly number[],
  loads: Uint32Array,
  meter: WorkMeter,
): Generator<void, number> {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, 0];
  for (const at of subscribers) {
    lowest = Math.min(lowest, wordAt(loads, at));
    highest = Math.max(highest, wordAt(loads, at));
  }
  if (meter.spend(1 + subscribers.length)) {
    yield;
  }
  if (highest - lowest <= 1) {
    return 0;
  }
  const partitionsOf = new Map<number, number[]>();
  for (const [partition, owner] of owners.entries()) {
    const mine = partitionsOf.get(owner);
    if (mine === undefined) {
      partitionsOf.set(owner, [partition]);
    } else {
      mine.push(partition);
    }
    if (meter.spend(1)) {
      yield;
    }
  }
  const givers = heapOf([...partitionsOf.keys()], loads, -1);
  const takers = heapOf(subscribers, loads, 1);
  let moved = 0;
  for (;;) {
    const from = givers.pop();
    const to = takers.pop();
    if (from === undefined || to === undefined || wordAt(loads, from) - wordAt(loads, to) <= 1) {
      return moved;
    }
    const mine = partitionsOf.get(from) ?? [];
    const partition = mine.pop();
    if (partition === undefined) {
      // It has no more of this topic to give.
      takers.push(to);
      continue;
    }
    owners[partition] = to;
    loads[from] = wordAt(loads, from) - 1;
    loads[to] = wordAt(loads, to) + 1;
    moved += 1;
    givers.push(from);
    takers.push(to);
    if (meter.spend(4)) {
      yield;
    }
  }
}

/** Members by their loads when they were pushed; sign 1: the smallest first. Ties go to the one that joined first. */
function heapOf(members: readonly number[], loads: Uint32Array, sign: 1 | -1): Heap<number> {
  return new Heap(members, (a, b) => sign * (wordAt(loads, a) - wordAt(loads, b)) || a - b);
}

function* collect(
  members: number,
  owners: ReadonlyMap<IdKey, Int32Array>,
  meter: WorkMeter,
): Generator<void, Assignment> {
  const assignment: Assignment = Array.from({ length: members }, () => new Map());
  for (const [topic, here] of owners) {
    for (const [partition, owner] of here.entries()) {
      const mine = assignment[owner];
      const numbers = mine?.get(topic);
      if (numbers === undefined) {
        mine?.set(topic, [partition]);
      } else {
        numbers.push(partition);
      }
      if (meter.spend(1)) {
        yield;
      }
    }
  }
  return assignment;
}
