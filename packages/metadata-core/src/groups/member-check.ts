// Checks that a call comes from a member of the group.
import { ErrorCode } from '../model/error-code.ts';
import type { Group, Member } from '../state/group.types.ts';

export type CheckedMember =
  | { errorCode: typeof ErrorCode.NONE; member: Member }
  | { errorCode: ErrorCode; member: null };

/** Checks in a fixed order: unknown instance, fenced instance, unknown member. */
export function checkMember(group: Group, memberId: string, groupInstanceId: string | null): CheckedMember {
  if (groupInstanceId !== null) {
    const holder = group.staticMembers.get(groupInstanceId);
    if (holder === undefined) {
      return { errorCode: ErrorCode.UNKNOWN_MEMBER_ID, member: null };
    }
    if (holder !== memberId) {
      return { errorCode: ErrorCode.FENCED_INSTANCE_ID, member: null };
    }
  }
  const member = group.members.get(memberId);
  return member === undefined
    ? { errorCode: ErrorCode.UNKNOWN_MEMBER_ID, member: null }
    : { errorCode: ErrorCode.NONE, member };
}
