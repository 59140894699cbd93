// What a member has, in the words of classic consumers: topic names in a ConsumerProtocolAssignment.

import type { ClusterState } from '../state/cluster-state.ts';
import type { ConsumerMember } from '../state/group.types.ts';
import { encodeAssignment } from './consumer-protocol.ts';

export function classicAssignment(state: ClusterState, member: ConsumerMember): Uint8Array {
  const topics: [string, number[]][] = [];
  for (const [key, numbers] of member.assigned) {
    const name = state.topics.get(key)?.name;
    if (name !== undefined) {
      topics.push([name, [...numbers.keys()].sort((a, b) => a - b)]);
    }
  }
  return encodeAssignment(topics.sort(([a], [b]) => (a < b ? -1 : 1)));
}
