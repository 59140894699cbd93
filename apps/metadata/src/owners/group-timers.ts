// The timers of consumer groups: one deadline per group, one session per member. The state machine decides when they start and end.
// Heartbeats extend sessions here and are not journaled, so after a failover every member gets a new session.
import type { GroupEffect } from '@penstock/metadata-core';
import { every } from '@penstock/platform';
import type { Clock } from './clock.ts';

/** Sessions last at least six seconds, so noticing an expiry a quarter of a second late is early enough. */
const SWEEP_INTERVAL_MS = 250;
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
}

export class GroupTimers {
  readonly #options: GroupTimersOptions;
  readonly #deadlines = new Map<string, Deadline>();
  readonly #sessions = new Map<string, Map<string, Session>>();
  readonly #stopSweep: () => void;

  constructor(options: GroupTimersOptions) {
    this.#options = options;
    this.#stopSweep = every(SWEEP_INTERVAL_MS, () => this.#sweep(), { timers: options.clock });
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
    this.#stopSweep();
    for (const { cancel } of this.#deadlines.values()) {
      cancel();
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
    members.set(memberId, { groupId, memberId, timeoutMs, expiresAtMs });
  }

  #endSession(groupId: string, memberId: string): void {
    const members = this.#sessions.get(groupId);
    members?.delete(memberId);
    if (members?.size === 0) {
      this.#sessions.delete(groupId);
    }
  }

  #sweep(): void {
    const nowMs = this.#options.clock.monotonicMs();
    const expired: MemberRef[] = [];
    for (const members of this.#sessions.values()) {
      for (const session of members.values()) {
        if (session.expiresAtMs > nowMs) {
          continue;
        }
        expired.push({ groupId: session.groupId, memberId: session.memberId });
        // If the member turns out to be waiting for its group, it stays and gets another session; otherwise the outcome ends it.
        session.expiresAtMs = nowMs + session.timeoutMs;
      }
    }
    if (expired.length > 0) {
      this.#options.onSessionsExpired(expired);
    }
  }
}
