// Collects the effects of one command on one group, for the owner: answers to parked calls, timers to start and stop.

import type { ErrorCode } from '../model/error-code.ts';
import type { JoinAnswer, SyncAnswer } from '../model/groups.types.ts';
import type { GroupEffect } from '../model/outcome.ts';
import type { Group, Member } from '../state/group.types.ts';

const NOTHING = new Uint8Array(0);

export class GroupChanges {
  readonly #joined: GroupEffect['joined'] = [];
  readonly #synced: GroupEffect['synced'] = [];
  readonly #sessions = new Map<string, number>();
  readonly #ended = new Set<string>();

  joined(answerTo: string, answer: JoinAnswer): void {
    this.#joined.push({ answerTo, answer });
  }

  synced(answerTo: string, answer: SyncAnswer): void {
    this.#synced.push({ answerTo, answer });
  }

  /** Restarts the member's session timer. */
  session(memberId: string, sessionTimeoutMs: number): void {
    this.#ended.delete(memberId);
    this.#sessions.set(memberId, sessionTimeoutMs);
  }

  /** The member id is no longer in the group. */
  end(memberId: string): void {
    this.#sessions.delete(memberId);
    this.#ended.add(memberId);
  }

  /** Answers the parked calls of a member that is about to be removed. */
  release(member: Member, errorCode: ErrorCode): void {
    if (member.awaitingJoin) {
      member.awaitingJoin = false;
      this.joined(member.memberId, joinRefused(errorCode, member.memberId));
    }
    this.releaseSync(member, errorCode);
  }

  /** Answers the parked SyncGroup call of a member, if there is one. */
  releaseSync(member: Member, errorCode: ErrorCode): void {
    if (member.awaitingSync) {
      member.awaitingSync = false;
      this.synced(member.memberId, syncRefused(errorCode));
    }
  }

  effect(group: Group): GroupEffect {
    return {
      groupId: group.groupId,
      joined: this.#joined,
      synced: this.#synced,
      deadlineMs: group.deadlineMs,
      sessions: [...this.#sessions].map(([memberId, sessionTimeoutMs]) => ({ memberId, sessionTimeoutMs })),
      ended: [...this.#ended],
    };
  }
}

export function joinRefused(errorCode: ErrorCode, memberId: string): JoinAnswer {
  return {
    errorCode,
    generationId: -1,
    protocolType: '',
    protocolName: '',
    leader: '',
    memberId,
    members: [],
    skipAssignment: false,
  };
}

export function syncRefused(errorCode: ErrorCode): SyncAnswer {
  return { errorCode, protocolType: '', protocolName: '', assignment: NOTHING };
}
