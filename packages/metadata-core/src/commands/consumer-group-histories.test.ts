import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeSnapshot, encodeSnapshot } from '../codec/snapshot.ts';
import { decodeAssignment } from '../consumer-groups/consumer-protocol.ts';
import { TestConsumerGroup } from '../testing/consumer-groups.ts';
import { encodeSubscription } from '../testing/consumer-protocol.ts';
import { TestGroup } from '../testing/groups.ts';
import { brokenInvariants } from '../testing/invariants.ts';

const ACTIONS = [
  'join',
  'beat',
  'beat',
  'beat',
  'leave',
  'expire',
  'assign',
  'assign',
  'classic joins',
  'classic joins',
  'classic syncs',
  'classic syncs',
  'classic leaves',
  'static joins',
  'static leaves',
  'subscribe',
  'topic grows',
  'time passes',
] as const;

const aStep = fc.record({
  action: fc.constantFrom(...ACTIONS),
  who: fc.constantFrom('a', 'b', 'c'),
  topics: fc.subarray(['t', 'u'], { minLength: 1 }),
  gentle: fc.boolean(),
});
type Step = typeof aStep extends fc.Arbitrary<infer T> ? T : never;

/** Members of both protocols in one group. */
class Mixed {
  readonly consumers = new TestConsumerGroup();
  readonly classic = new TestGroup(this.consumers.cluster);
  readonly #synced = new Map<string, readonly (readonly [string, readonly number[]])[]>();

  take({ action, who, topics, gentle }: Step): void {
    const { consumers, classic } = this;
    const isMember = consumers.clients.has(who);
    switch (action) {
      case 'join':
        consumers.join(who, topics);
        break;
      case 'beat':
        if (isMember) {
          consumers.beat(who);
        }
        break;
      case 'subscribe':
        if (isMember) {
          consumers.beat(who, { subscribedTopics: topics });
        }
        break;
      case 'leave':
        if (isMember) {
          consumers.leave(who);
        }
        break;
      case 'expire':
        consumers.expire(gentle ? who : `k${who}`);
        break;
      case 'assign':
        consumers.assign();
        break;
      case 'classic joins': {
        // One that is gentle gives up what it was not given again.
        const owned = gentle ? (this.#synced.get(who) ?? []) : [];
        const protocols = [{ name: 'range', metadata: encodeSubscription(topics, owned) }];
        const isKnown = this.#synced.has(who);
        this.#synced.set(who, owned);
        (isKnown ? classic.join : classic.enter).call(classic, `k${who}`, {
          memberId: isKnown ? `k${who}` : '',
          newMemberId: `k${who}`,
          protocols,
        });
        break;
      }
      case 'classic syncs':
        this.#sync(who);
        break;
      case 'classic leaves':
        classic.leave(`k${who}`);
        this.#synced.delete(who);
        break;
      case 'static joins':
        consumers.join(`s${who}${gentle ? 1 : 2}`, topics, { instanceId: who });
        break;
      case 'static leaves':
        if (consumers.clients.has(`s${who}1`)) {
          consumers.leave(`s${who}1`, gentle ? -1 : -2);
        }
        break;
      case 'topic grows': {
        const totalPartitions = (consumers.cluster.state.topicsByName.get('t')?.partitions.length ?? 0) + 1;
        consumers.cluster.do({
          kind: 'create-partitions',
          topics: [{ name: 't', totalPartitions }],
          validateOnly: false,
        });
        break;
      }
      case 'time passes':
        consumers.pass(gentle ? 100 : 61_000);
        break;
    }
  }

  #sync(who: string): void {
    const { state } = this.consumers.cluster;
    const group = state.groups.get('g');
    const answer = this.consumers.cluster.do({
      kind: 'sync-group',
      groupId: 'g',
      generationId: group?.consumer?.members.get(`k${who}`)?.epoch ?? group?.generation ?? 0,
      memberId: `k${who}`,
      groupInstanceId: null,
      protocolType: '',
      protocolName: '',
      assignments: [],
    });
    if (!answer.waiting && answer.errorCode === 0) {
      this.#synced.set(who, decodeAssignment(answer.assignment) ?? []);
    }
  }
}

// Members of both protocols, static ones, growing topics, and snapshots.
it('random group histories keep every invariant', () => {
  fc.assert(
    fc.property(fc.array(aStep, { minLength: 5, maxLength: 60, size: 'max' }), (steps) => {
      const mixed = new Mixed();
      for (const step of steps) {
        mixed.take(step);
        const { state } = mixed.consumers.cluster;
        expect(brokenInvariants(state), step.action).toEqual([]);
      }
      const { state } = mixed.consumers.cluster;
      const restored = decodeSnapshot(encodeSnapshot(state));
      expect(brokenInvariants(restored)).toEqual([]);
      expect(encodeSnapshot(restored)).toEqual(encodeSnapshot(state));
    }),
    { numRuns: 300 },
  );
});
