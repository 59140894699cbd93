import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IdKey } from '../../model/ids.ts';
import type { TopicPartitions } from '../../state/group.types.ts';
import type { Assignment, AssignmentInput, AssignmentMember, AssignmentSteps } from './assignment.ts';
import { type AssignorName, assign } from './assignors.ts';

function run(steps: AssignmentSteps): { assignment: Assignment; steps: number } {
  for (let count = 1; ; count += 1) {
    const next = steps.next();
    if (next.done === true) {
      return { assignment: next.value, steps: count };
    }
  }
}

/** Members with these subscriptions; equal ones share an array, as the service makes them. */
function members(
  subscriptions: readonly (readonly IdKey[])[],
  current?: Assignment,
  names?: readonly string[],
): AssignmentMember[] {
  const known = new Map<string, readonly IdKey[]>();
  return subscriptions.map((wanted, at) => {
    const key = wanted.join();
    const topics = known.get(key) ?? wanted;
    known.set(key, topics);
    return {
      memberId: names?.[at] ?? `m${at}`,
      instanceId: null,
      topics,
      current: (current?.[at] ?? new Map()) as TopicPartitions,
    };
  });
}

const TOPICS = ['t1', 't2', 't3', 't4'] as const;
const aTopicMap = fc
  .tuple(...TOPICS.map(() => fc.integer({ min: 1, max: 30 })))
  .map((counts) => new Map<IdKey, number>(TOPICS.map((topic, at) => [topic, counts[at] ?? 1])));
const aMixed = fc.array(fc.subarray([...TOPICS]), { minLength: 1, maxLength: 12 });

/** All partitions, each with its owner: `t1-0 m2`. Sorted. */
function owners(input: AssignmentInput, assignment: Assignment): string[] {
  return assignment
    .flatMap((topics, at) =>
      [...topics].flatMap(([topic, numbers]) =>
        numbers.map((partition) => `${topic}-${partition} ${input.members[at]?.memberId}`),
      ),
    )
    .sort();
}

/** Every partition of a topic with subscribers, once; each at a subscriber. */
function expectComplete(input: AssignmentInput, assignment: Assignment): void {
  const wanted = new Set(input.members.flatMap(({ topics }) => topics));
  const all = [...wanted].flatMap((topic) =>
    Array.from({ length: input.topics.get(topic) ?? 0 }, (_, partition) => `${topic}-${partition}`),
  );
  expect(
    owners(input, assignment)
      .map((owner) => owner.split(' ')[0])
      .sort(),
  ).toEqual(all.sort());
  for (const [at, topics] of assignment.entries()) {
    expect([...topics.keys()].every((topic) => input.members[at]?.topics.includes(topic))).toBe(true);
  }
}

function sizes(assignment: Assignment): number[] {
  return assignment.map((topics) => [...topics.values()].reduce((sum, numbers) => sum + numbers.length, 0));
}

function sorted(assignment: Assignment): Assignment {
  for (const topics of assignment) {
    for (const numbers of topics.values()) {
      numbers.sort((a, b) => a - b);
    }
  }
  return assignment;
}

function moves(before: Assignment, after: Assignment, input: AssignmentInput): number {
  const now = new Set(owners(input, after));
  return owners(input, before).filter((owner) => !now.has(owner)).length;
}

describe.each<AssignorName>(['uniform', 'range'])('%s', (name) => {
  it('gives each partition to one subscriber from any start', () => {
    fc.assert(
      fc.property(aTopicMap, aMixed, aMixed, (topics, before, after) => {
        const first: AssignmentInput = { members: members(before), topics };
        const { assignment } = run(assign(name, first));
        expectComplete(first, assignment);
        const second: AssignmentInput = { members: members(after, sorted(assignment).slice(0, after.length)), topics };
        expectComplete(second, run(assign(name, second)).assignment);
      }),
      { numRuns: 200 },
    );
  });

  it('repeats its assignment when nothing changes', () => {
    fc.assert(
      fc.property(aTopicMap, aMixed, (topics, subscriptions) => {
        const { assignment } = run(assign(name, { members: members(subscriptions), topics }));
        const again = { members: members(subscriptions, sorted(assignment)), topics };
        expect(owners(again, run(assign(name, again)).assignment)).toEqual(owners(again, assignment));
      }),
      { numRuns: 100 },
    );
  });
});

describe('uniform', () => {
  const aSize = fc.integer({ min: 1, max: 15 });
  const all = (count: number): readonly (readonly IdKey[])[] => Array.from({ length: count }, () => TOPICS);

  it('balances members with one subscription within one partition', () => {
    fc.assert(
      fc.property(aTopicMap, aSize, aSize, (topics, before, after) => {
        const { assignment } = run(assign('uniform', { members: members(all(before)), topics }));
        const input = { members: members(all(after), sorted(assignment).slice(0, after)), topics };
        const loads = sizes(run(assign('uniform', input)).assignment);
        expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 200 },
    );
  });

  it('moves as few partitions as balance allows', () => {
    fc.assert(
      fc.property(aTopicMap, fc.integer({ min: 2, max: 15 }), fc.boolean(), (topics, count, joins) => {
        const partitions = [...topics.values()].reduce((sum, number) => sum + number, 0);
        const before = sorted(run(assign('uniform', { members: members(all(count)), topics })).assignment);
        const after = joins ? count + 1 : count - 1;
        const input = { members: members(all(after), before.slice(0, after)), topics };
        const { assignment } = run(assign('uniform', input));
        // Who joins gets its share, and nothing else moves; what the last one had is shared out, and nothing else moves.
        const most = joins ? Math.ceil(partitions / after) : 0;
        expect(moves(before.slice(0, after), assignment, input)).toBeLessThanOrEqual(most);
      }),
      { numRuns: 200 },
    );
  });

  it('balances the subscribers of each topic where possible', () => {
    fc.assert(
      fc.property(aTopicMap, aMixed, (topics, subscriptions) => {
        const input = { members: members(subscriptions), topics };
        const { assignment } = run(assign('uniform', input));
        const loads = sizes(assignment);
        for (const topic of TOPICS) {
          const subscribers = [...subscriptions.entries()].filter(([, wanted]) => wanted.includes(topic));
          for (const [giver] of subscribers.filter(([at]) => assignment[at]?.has(topic) === true)) {
            for (const [taker] of subscribers) {
              expect((loads[giver] ?? 0) - (loads[taker] ?? 0)).toBeLessThanOrEqual(1);
            }
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it.each(['one subscription', 'two subscriptions'])(
    'assigns 100,000 partitions to 1,000 members in steps, %s',
    (kind) => {
      const topics = new Map<IdKey, number>([
        ['a', 60_000],
        ['b', 40_000],
      ]);
      const subscriptions = Array.from({ length: 1_000 }, (_, at) =>
        kind === 'one subscription' || at % 2 === 0 ? ['a', 'b'] : ['a'],
      );
      const input = { members: members(subscriptions), topics };
      const { assignment, steps } = run(assign('uniform', input));
      expect(sizes(assignment).reduce((sum, size) => sum + size, 0)).toBe(100_000);
      expect(steps).toBeGreaterThan(20);
    },
  );
});

describe('range', () => {
  it('gives same-sized topics the same partition numbers', () => {
    const topics = new Map<IdKey, number>([
      ['a', 3],
      ['b', 3],
    ]);
    const input = {
      members: members(
        [
          ['a', 'b'],
          ['a', 'b'],
        ],
        undefined,
        ['x', 'w'],
      ),
      topics,
    };
    expect(owners(input, run(assign('range', input)).assignment)).toEqual(
      ['a-0 w', 'a-1 w', 'a-2 x', 'b-0 w', 'b-1 w', 'b-2 x'].sort(),
    );
  });

  it('orders static members first, by instance id', () => {
    const topics = new Map<IdKey, number>([['a', 3]]);
    const [first, second, third] = members([['a'], ['a'], ['a']], undefined, ['x', 'y', 'z']);
    const input = {
      members: [first, { ...second, instanceId: 'i2' }, { ...third, instanceId: 'i1' }] as AssignmentMember[],
      topics,
    };
    expect(owners(input, run(assign('range', input)).assignment)).toEqual(['a-0 z', 'a-1 y', 'a-2 x']);
  });
});
