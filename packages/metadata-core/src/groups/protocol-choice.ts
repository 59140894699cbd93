// Chooses the assignment protocol of a group by vote, among those that every member supports.
import type { GroupProtocol } from '../model/groups.types.ts';
import type { Group, Member } from '../state/group.types.ts';

/** The protocol names that every member supports. `except` is not counted, because it is about to change its protocols. */
function commonProtocols(members: Iterable<Member>, except?: string): ReadonlySet<string> | null {
  let common: string[] | null = null;
  for (const member of members) {
    if (member.memberId !== except) {
      const names = new Set(member.protocols.map(({ name }) => name));
      common = common === null ? [...names] : common.filter((name) => names.has(name));
    }
  }
  return common === null ? null : new Set(common);
}

/** Whether a member with these protocols is compatible with the others. */
export function supportsProtocols(
  group: Group,
  protocolType: string,
  protocols: readonly GroupProtocol[],
  memberId: string,
): boolean {
  if (protocolType === '' || protocols.length === 0) {
    return false;
  }
  const common = commonProtocols(group.members.values(), memberId);
  if (common === null) {
    return group.members.size === 0 || group.protocolType === protocolType;
  }
  return group.protocolType === protocolType && protocols.some(({ name }) => common.has(name));
}

/** Each member votes for the first of its protocols that all support. Most votes win; on a tie, the one voted for first. */
export function chooseProtocol(group: Group): string | null {
  const candidates = commonProtocols(group.members.values());
  const votes = new Map<string, number>();
  for (const member of group.members.values()) {
    const vote = member.protocols.find(({ name }) => candidates?.has(name) === true)?.name;
    if (vote !== undefined) {
      votes.set(vote, (votes.get(vote) ?? 0) + 1);
    }
  }
  let winner: string | null = null;
  for (const [name, count] of votes) {
    if (winner === null || count > (votes.get(winner) ?? 0)) {
      winner = name;
    }
  }
  return winner;
}

/** Whether a member rejoins with the same protocols: same names, same order, same metadata. */
export function sameProtocols(a: readonly GroupProtocol[], b: readonly GroupProtocol[]): boolean {
  return (
    a.length === b.length &&
    a.every((protocol, at) => {
      const other = b[at];
      return (
        other !== undefined &&
        protocol.name === other.name &&
        protocol.metadata.length === other.metadata.length &&
        protocol.metadata.every((byte, index) => byte === other.metadata[index])
      );
    })
  );
}

/** A member's metadata for one protocol; empty when it does not support it. */
export function metadataOf(member: Member, protocolName: string | null): Uint8Array {
  return member.protocols.find(({ name }) => name === protocolName)?.metadata ?? new Uint8Array(0);
}
