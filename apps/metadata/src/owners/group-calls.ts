// The calls of group members that wait for others: joins, synchronizations, and heartbeats of the new protocol whose assignment is due.
import {
  type AnswerByKind,
  type ClusterState,
  type CommandOf,
  type Effects,
  ErrorCode,
  groupTimers,
  type JoinAnswer,
  type SyncAnswer,
} from '@penstock/metadata-core';
import type { ClusterIdentity } from '@penstock/metadata-journal';
import type { Logger } from '@penstock/platform';
import type { Clock } from './clock.ts';
import type { Committer } from './committer.ts';
import { ConsumerGroupTasks } from './consumer-group-tasks.ts';
import { GroupTimers, type MemberRef } from './group-timers.ts';
import { ParkedCalls } from './parked-calls.ts';
import { type Patterns, PatternsHere, sizeProblem } from './patterns/patterns.ts';

export interface GroupCallsOptions {
  cluster: ClusterIdentity;
  state: ClusterState;
  committer: Committer;
  clock: Clock;
  logger: Logger;
  /** Absent: patterns are matched in this thread. */
  patterns: Patterns | undefined;
  /** Waits for a turn among all clusters. Undefined: go on at once. */
  turn: () => Promise<void> | undefined;
}

export class GroupCalls {
  readonly #cluster: ClusterIdentity;
  readonly #state: ClusterState;
  readonly #committer: Committer;
  readonly #patterns: Patterns;
  readonly #parked = new ParkedCalls();
  readonly #timers: GroupTimers;
  readonly #tasks: ConsumerGroupTasks;

  constructor({ cluster, state, committer, clock, logger, patterns = new PatternsHere(), turn }: GroupCallsOptions) {
    this.#cluster = cluster;
    this.#state = state;
    this.#committer = committer;
    this.#patterns = patterns;
    this.#timers = new GroupTimers({
      clock,
      onDeadline: (groupId) => this.#endDeadline(groupId),
      onSessionsExpired: (members) => committer.background({ kind: 'expire-members', members }),
    });
    this.#tasks = new ConsumerGroupTasks({
      state,
      clock,
      cluster,
      logger,
      patterns,
      turn,
      apply: (result) => committer.tryApply<typeof result.kind>(result) !== null,
    });
  }

  /** JoinGroup: resolves when the join phase ends or, in a group of the new protocol, when the member's next assignment is computed. */
  async join(command: CommandOf<'join-group'>): Promise<JoinAnswer> {
    const { answer } = this.#committer.apply(command);
    if (!answer.waiting && answer.isAssignmentDue === true) {
      this.#tasks.look(command.groupId);
      await this.#tasks.whenAssigned(command.groupId);
      return await this.#joinOnce({ ...command, memberId: answer.memberId });
    }
    return await this.#parkedJoin(command, answer);
  }

  async #joinOnce(command: CommandOf<'join-group'>): Promise<JoinAnswer> {
    return await this.#parkedJoin(command, this.#committer.apply(command).answer);
  }

  async #parkedJoin(command: CommandOf<'join-group'>, answer: AnswerByKind['join-group']): Promise<JoinAnswer> {
    // Parked before anything is published, since this very command may complete the group.
    const parked = answer.waiting ? this.#parked.parkJoin(command.groupId, answer.memberId) : answer;
    return await this.#committer.afterDurable(parked);
  }

  /** SyncGroup: resolves when the leader has sent the assignments. */
  async sync(command: CommandOf<'sync-group'>): Promise<SyncAnswer> {
    const { answer } = this.#committer.apply(command);
    const parked = answer.waiting ? this.#parked.parkSync(command.groupId, answer.memberId) : answer;
    return await this.#committer.afterDurable(parked);
  }

  /** Why a regular expression of topics is refused; null when it is not. @throws PatternsUnavailable */
  async patternProblem(pattern: string): Promise<string | null> {
    return sizeProblem(pattern) ?? (await this.#patterns.problem(this.#cluster, pattern));
  }

  /**
   * ConsumerGroupHeartbeat. A member that joins is answered once its assignment is computed, or after some seconds without it. Any other
   * learns at once what its heartbeat has caused to be computed, unless that takes longer than a turn. Not journaled when it changes nothing.
   */
  async heartbeat(command: CommandOf<'consumer-group-heartbeat'>): Promise<AnswerByKind['consumer-group-heartbeat']> {
    const { answer } = this.#committer.apply(command);
    const { groupId, memberEpoch } = command;
    if (answer.errorCode === ErrorCode.NONE && memberEpoch >= 0) {
      const { memberId, sessionTimeoutMs } = answer;
      this.#timers.touch(groupId, memberId, sessionTimeoutMs);
      this.#tasks.look(groupId);
      // An answer that has an assignment is sent: a second step would leave it out, because it has not changed since the first.
      const isComputed = answer.assignment === null && this.#tasks.isAssigned(groupId);
      if (answer.isAssignmentDue && (memberEpoch === 0 || isComputed)) {
        await this.#tasks.whenAssigned(groupId);
        return await this.#committer.submit({ ...command, memberId, memberEpoch: answer.memberEpoch });
      }
    }
    return await this.#committer.afterDurable(answer);
  }

  /** Restarts the session of a classic member. One of the new protocol does that by its own heartbeats only. */
  touch({ groupId, memberId }: MemberRef): void {
    const member = this.#state.groups.get(groupId)?.consumer?.members.get(memberId);
    if (member === undefined || member.classic !== null) {
      this.#timers.touch(groupId, memberId);
    }
  }

  /** After an opening, every member gets a new grace period. */
  resume(): void {
    const groups = groupTimers(this.#state);
    for (const timers of groups) {
      this.#timers.follow({ ...timers, ended: [] });
    }
    this.#tasks.lookAtAll(groups.map(({ groupId }) => groupId));
  }

  /** Answers calls and sets timers after changes of groups that are durable. */
  follow(effects: NonNullable<Effects['groups']>): void {
    for (const effect of effects) {
      this.#timers.follow(effect);
      this.#parked.answer(effect);
      if (effect.ended.length > 0) {
        this.#tasks.lookAfterLeaving(effect.groupId);
      } else {
        this.#tasks.look(effect.groupId);
      }
    }
  }

  /** Ends timers, tasks and the calls that wait. */
  close(error: Error): void {
    this.#timers.stop();
    this.#tasks.stop();
    this.#parked.rejectAll(error);
  }

  #endDeadline(groupId: string): void {
    // A command that joined an open batch got the time of that batch, which may be before the deadline.
    this.#committer.background({ kind: 'group-deadline', groupId }, ({ fired }) => {
      if (!fired) {
        this.#timers.retryDeadline(groupId);
      }
    });
  }
}
