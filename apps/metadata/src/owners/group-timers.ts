// The timers of consumer groups: one deadline per group, one session per member. The state machine decides when they start and end.
// Heartbeats extend sessions here and are not journaled, so after a failover every member gets a new session.
import type { GroupEffect } from '@penstock/metadata-core';
import type { Clock } from './clock.ts';

/** Retries a deadline that has already passed without spinning. */
const MIN_DELAY_MS = 2;

export interface MemberRef {
  groupId: string;
  memberId: string;
}

export interface GroupTimersOptions {
  clock: Clock;
  onDeadline: (groupId: string) => void;
  onSessionsExpired: (members: MemberRef[]) => void;
}

interface Deadline {
  atMs: number;
  cancel: () => void;
}

interface Session extends MemberRef {
  timeoutMs: number;
  expiresAtMs: number;
  /** When the timer fires, which may be early: a heartbeat moves only `expiresAtMs`. */
  firesAtMs: number;
  cancel: () => void;
}

export class GroupTimers {
  readonly #options: GroupTimersOptions;
  readonly #deadlines = new Map<string, Deadline>();
  readonly #sessions = new Map<string, Map<string, Session>>();

  constructor(options: GroupTimersOptions) {
    this.#options = options;
  }

  /** Applies a durable change of a group to its timers. */
  follow(effect: Pick<GroupEffect, 'groupId' | 'deadlineMs' | 'sessions' | 'ended'>): void {
    this.#armDeadline(effect.groupId, effect.deadlineMs);
    for (const { memberId, sessionTimeoutMs } of effect.sessions) {
      this.#startSession(effect.groupId, memberId, sessionTimeoutMs);
    }
    for (const memberId of effect.ended) {
      this.#endSession(effect.groupId, memberId);
    }
  }

  /** Restarts a member's session. @param timeoutMs the timeout from now on; absent: unchanged */
  touch(groupId: string, memberId: string, timeoutMs?: number): void {
    const session = this.#sessions.get(groupId)?.get(memberId);
    if (session !== undefined) {
      session.timeoutMs = timeoutMs ?? session.timeoutMs;
      session.expiresAtMs = this.#options.clock.monotonicMs() + session.timeoutMs;
    }
  }

  /** The state machine found that the deadline had not passed yet. Tries again shortly, unless the deadline has changed since. */
  retryDeadline(groupId: string): void {
    const deadline = this.#deadlines.get(groupId);
    if (deadline !== undefined) {
      this.#armDeadline(groupId, deadline.atMs);
    }
  }

  stop(): void {
    for (const { cancel } of this.#deadlines.values()) {
      cancel();
    }
    for (const members of this.#sessions.values()) {
      for (const { cancel } of members.values()) {
        cancel();
      }
    }
    this.#deadlines.clear();
    this.#sessions.clear();
  }

  #armDeadline(groupId: string, deadlineMs: number | null): void {
    this.#deadlines.get(groupId)?.cancel();
    this.#deadlines.delete(groupId);
    if (deadlineMs === null) {
      return;
    }
    const { clock, onDeadline } = this.#options;
    const fire = (): void => {
      // A timer may fire a moment before the wall clock reaches the deadline; the state machine would reject that as too early.
      if (clock.nowMs() < deadlineMs) {
        this.#armDeadline(groupId, deadlineMs);
      } else {
        onDeadline(groupId);
      }
    };
    const cancel = clock.after(Math.max(MIN_DELAY_MS, deadlineMs - clock.nowMs()), fire);
    this.#deadlines.set(groupId, { atMs: deadlineMs, cancel });
  }

  #startSession(groupId: string, memberId: string, timeoutMs: number): void {
    let members = this.#sessions.get(groupId);
    if (members === undefined) {
      members = new Map();
      this.#sessions.set(groupId, members);
    }
    const expiresAtMs = this.#options.clock.monotonicMs() + timeoutMs;
    const known = members.get(memberId);
    if (known !== undefined && known.firesAtMs <= expiresAtMs) {
      known.timeoutMs = timeoutMs;
      known.expiresAtMs = expiresAtMs;
      return;
    }
    known?.cancel();
    const session = { groupId, memberId, timeoutMs, expiresAtMs, firesAtMs: expiresAtMs, cancel: () => {} };
    this.#armSession(session);
    members.set(memberId, session);
  }

  #endSession(groupId: string, memberId: string): void {
    const members = this.#sessions.get(groupId);
    members?.get(memberId)?.cancel();
    members?.delete(memberId);
    if (members?.size === 0) {
      this.#sessions.delete(groupId);
    }
  }

  #armSession(session: Session): void {
    const { clock } = this.#options;
    const delayMs = Math.max(MIN_DELAY_MS, session.expiresAtMs - clock.monotonicMs());
    session.firesAtMs = session.expiresAtMs;
    session.cancel = clock.after(delayMs, () => {
      const expired = this.#takeExpired(session.groupId);
      this.#armSession(session);
      if (expired.length > 0) {
        this.#options.onSessionsExpired(expired);
      }
    });
  }

  /** Members of a group that die at once are taken together, so that they cause one rebalance. */
  #takeExpired(groupId: string): MemberRef[] {
    const nowMs = this.#options.clock.monotonicMs();
    const expired = [...(this.#sessions.get(groupId)?.values() ?? [])].filter(
      ({ expiresAtMs }) => expiresAtMs <= nowMs,
    );
    for (const session of expired) {
      // If the member turns out to be waiting for its group, it stays and gets another session; otherwise the outcome ends it.
      session.expiresAtMs = nowMs + session.timeoutMs;
    }
    return expired.map(({ memberId }) => ({ groupId, memberId }));
  }
}
