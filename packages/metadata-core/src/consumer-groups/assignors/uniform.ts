// The assignor `uniform` for members that all subscribe to the same topics: numbers of partitions differ by one at most, and as few partitions
// as possible move. Racks play no part, as in Kafka 4.3.

import { numberAt, wordAt } from '../../model/checked.ts';
import type { IdKey } from '../../model/ids.ts';
import { type Assignment, type AssignmentInput, type AssignmentSteps, WorkMeter } from './assignment.ts';

export function* assignUniformly({ members, topics }: AssignmentInput): AssignmentSteps {
  const meter = new WorkMeter();
  const subscribed = members[0]?.topics ?? [];
  let partitions = 0;
  for (const topic of subscribed) {
    partitions += topics.get(topic) ?? 0;
  }
  const assignment: Assignment = members.map(() => new Map());
  const quotas = yield* quotasOf(members, topics, partitions, meter);
  const taken = new Map<IdKey, Uint8Array>(subscribed.map((topic) => [topic, new Uint8Array(topics.get(topic) ?? 0)]));
  // What each keeps.
  const open = new Uint32Array(members.length);
  for (const [at, { current }] of members.entries()) {
    const mine = assignment[at] ?? new Map();
    let left = wordAt(quotas, at);
    for (const [topic, numbers] of current) {
      const marks = taken.get(topic);
      if (marks === undefined) {
        continue;
      }
      const kept = numbers.filter((partition) => partition < marks.length).slice(0, left);
      for (const partition of kept) {
        marks[partition] = 1;
      }
      left -= kept.length;
      if (kept.length > 0) {
        mine.set(topic, kept);
      }
      if (meter.spend(numbers.length)) {
        yield;
      }
    }
    open[at] = left;
  }
  yield* dealOut(assignment, open, taken, meter);
  return assignment;
}

/** One more for some of the members: first for those that have it already. */
function* quotasOf(
  members: AssignmentInput['members'],
  topics: AssignmentInput['topics'],
  partitions: number,
  meter: WorkMeter,
): Generator<void, Uint32Array> {
  const least = Math.floor(partitions / members.length);
  let extras = partitions % members.length;
  const quotas = new Uint32Array(members.length).fill(least);
  for (const [at, { current }] of members.entries()) {
    if (extras > 0 && held(current, topics) > least) {
      quotas[at] = least + 1;
      extras -= 1;
    }
    if (meter.spend(1 + current.size)) {
      yield;
    }
  }
  for (let at = 0; at < members.length && extras > 0; at += 1) {
    if (quotas[at] === least) {
      quotas[at] = least + 1;
      extras -= 1;
    }
  }
  return quotas;
}

/** How many partitions of its current ones a member could keep. */
function held(current: ReadonlyMap<IdKey, readonly number[]>, topics: AssignmentInput['topics']): number {
  let count = 0;
  for (const [topic, numbers] of current) {
    const partitions = topics.get(topic) ?? 0;
    // Topics never shrink: the last one exists exactly when all do.
    count += (numbers.at(-1) ?? 0) < partitions ? numbers.length : 0;
  }
  return count;
}

/** Gives what nobody has to members in turn, so that each gets some of every topic. */
function* dealOut(
  assignment: Assignment,
  open: Uint32Array,
  taken: ReadonlyMap<IdKey, Uint8Array>,
  meter: WorkMeter,
): Generator<void, void> {
  let turn = [...open.keys()].filter((member) => wordAt(open, member) > 0);
  let at = 0;
  for (const [topic, marks] of taken) {
    for (let partition = 0; partition < marks.length; partition += 1) {
      if (marks[partition] === 1) {
        continue;
      }
      if (at === turn.length) {
        turn = turn.filter((member) => wordAt(open, member) > 0);
        at = 0;
      }
      const member = numberAt(turn, at);
      at += 1;
      open[member] = wordAt(open, member) - 1;
      const numbers = assignment[member]?.get(topic);
      if (numbers === undefined) {
        assignment[member]?.set(topic, [partition]);
      } else {
        numbers.push(partition);
      }
      if (meter.spend(2)) {
        yield;
      }
    }
    if (meter.spend(marks.length / 8)) {
      yield;
    }
  }
}
