// Applies commands to the state of one cluster, in one order, and answers when what they changed is durable.
import {
  type AnswerByKind,
  apply,
  type ClientChanges,
  type ClusterState,
  type Command,
  type CommandKind,
  type CommandOf,
  changesOf,
  growthOf,
  type KafkaClient,
  memoryClaim,
  type Outcome,
  refusedForMemory,
} from '@penstock/metadata-core';
import type { ClusterIdentity } from '@penstock/metadata-journal';
import type { Logger } from '@penstock/platform';
import type { StateShare } from '../memory/state-budget.ts';
import type { Clock } from './clock.ts';
import { clockCommands } from './clock-steps.ts';
import type { CommitPipeline } from './commit-pipeline.ts';
import { CommandQuarantined, MemoryFull, NotOwner, OwnerBusy, OwnerSteppedDown } from './errors.ts';
import type { Quarantine } from './quarantine.ts';

export interface CommitterOptions {
  cluster: ClusterIdentity;
  state: ClusterState;
  /** The time of the last command that was applied before. */
  lastCommandMs: number;
  pipeline: CommitPipeline;
  clock: Clock;
  logger: Logger;
  /** The memory limit of the organization. Absent: the cluster may grow as far as the state machine allows. */
  memory: StateShare | undefined;
  /** Commands that broke an invariant, also under an earlier owner of this process. */
  quarantine: Quarantine;
  isLeaseValid: () => boolean;
  /** The error for callers once the owner has closed. */
  closed: () => Error | undefined;
  /** An invariant broke: the state must not be used again. */
  onBroken: (cause: unknown) => void;
  /** The state has changed. */
  onChanged: () => void;
  onMemoryRefused: (reason: string) => void;
  /** For simulations: called after each command. Absent in production, which checks the state at snapshots. */
  afterCommand?: ((state: ClusterState, command: Command) => void) | undefined;
  /** For simulations: called with each command that breaks an invariant, which the service refuses and goes on. */
  onQuarantined?: ((cause: unknown, command: Command) => void) | undefined;
}

export class Committer {
  readonly #options: CommitterOptions;
  #lastCommandMs: number;

  constructor(options: CommitterOptions) {
    this.#options = options;
    this.#lastCommandMs = options.lastCommandMs;
  }

  /**
   * The time that a command would be applied with now: that of the batch that it would join. No later command gets an earlier one, unless
   * the database's clock is set back.
   */
  nextCommandMs(): number {
    return this.#options.pipeline.openBatchMs ?? this.#options.clock.nowMs();
  }

  /**
   * Applies a command. Resolves with its answer when the command, and everything the answer depends on, is durable.
   * @param client the Kafka client that asks for it: the audit log names it with what it changed. Absent when nobody did, or somebody in the
   *   control plane, which writes its own audit rows
   * @throws NotOwner, OwnerBusy, CommandQuarantined: nothing was changed. OwnerSteppedDown: it may have been; a retry with the same ids gets the same answer.
   */
  async submit<K extends CommandKind>(command: CommandOf<K>, client?: KafkaClient): Promise<AnswerByKind[K]> {
    const { answer } = this.apply(command, client);
    await this.#options.pipeline.whenDurable();
    return answer;
  }

  /** Runs a query on the state. Resolves when the state that it read is durable. */
  async read<Answer>(question: (state: ClusterState) => Answer): Promise<Answer> {
    this.requireOwner();
    const answer = question(this.#options.state);
    await this.#options.pipeline.whenDurable();
    return answer;
  }

  /** @throws as `submit` */
  apply<K extends CommandKind>(command: CommandOf<K>, client?: KafkaClient): Outcome<K> {
    this.requireOpen();
    if (this.#options.pipeline.isFull) {
      throw new OwnerBusy(this.#options.cluster.clusterId);
    }
    const refused = this.#refusedForMemory(command);
    if (refused !== null) {
      this.#requireLease();
      return { changed: false, answer: refused, effects: {} };
    }
    const nowMs = this.#options.pipeline.openBatchMs ?? this.#nextBatchMs();
    return this.#applyAt(command, nowMs, client);
  }

  /**
   * The answer to a command for which this process has no memory. Null: it has. Not part of the state machine, since it depends on what else
   * the process holds.
   * @throws MemoryFull when the command has no answer for that
   */
  #refusedForMemory<K extends CommandKind>(command: CommandOf<K>): AnswerByKind[K] | null {
    const { memory } = this.#options;
    const claim = memory === undefined ? null : memoryClaim(this.#options.state, command);
    const reason = claim === null ? null : (memory?.refusal(claim.mostBytes) ?? null);
    if (reason === null || growthOf(this.#options.state, command) <= 0) {
      return null;
    }
    memory?.noteRefusal();
    this.#options.onMemoryRefused(reason);
    // The answer is that of the command's own kind.
    const answer = refusedForMemory(command, reason) as AnswerByKind[K] | null;
    if (answer === null) {
      throw new MemoryFull(reason);
    }
    return answer;
  }

  /** The time of the next batch. If the history's time is far ahead, because of a wrong clock, it is first set back. */
  #nextBatchMs(): number {
    const nowMs = this.#options.clock.nowMs();
    for (const command of clockCommands(this.#lastCommandMs, nowMs)) {
      this.#options.logger.warn({ aheadMs: this.#lastCommandMs - nowMs }, 'the clock of the database was set back');
      this.#applyAt(command, nowMs);
    }
    return nowMs;
  }

  #applyAt<K extends CommandKind>(command: CommandOf<K>, nowMs: number, client?: KafkaClient): Outcome<K> {
    const { clusterId } = this.#options.cluster;
    const quarantined = this.#options.quarantine.find(clusterId, command);
    if (quarantined !== undefined) {
      this.#requireLease();
      throw new CommandQuarantined(clusterId, quarantined);
    }
    let outcome: Outcome<K>;
    try {
      outcome = apply(this.#options.state, command, nowMs);
    } catch (cause) {
      const hash = this.#options.quarantine.add(clusterId, command);
      this.#options.logger.error(
        { err: cause, clusterId, command: command.kind, hash, lastSeq: this.#options.pipeline.position.seq },
        'a command broke an invariant, was not applied, and is refused from now on; the cluster is loaded again',
      );
      this.#options.onQuarantined?.(cause, command);
      // Possibly half-way through a change: this state must not be used again.
      this.#options.onBroken(cause);
      throw new OwnerSteppedDown(clusterId, cause);
    }
    this.#options.afterCommand?.(this.#options.state, command);
    if (outcome.lacksMemory === true) {
      this.#options.onMemoryRefused('The virtual cluster holds as much as it may.');
    }
    if (outcome.changed) {
      this.#lastCommandMs = nowMs;
      this.#options.onChanged();
      this.#options.pipeline.add(command, nowMs, outcome.effects, this.#clientChanges(command, outcome, client));
    } else {
      // Nothing will be appended that could collide, so only the lease shows that the state is current.
      this.#requireLease();
    }
    return outcome;
  }

  #clientChanges(
    command: Command,
    outcome: Outcome<CommandKind>,
    client: KafkaClient | undefined,
  ): ClientChanges | undefined {
    if (client === undefined) {
      return undefined;
    }
    const changes = changesOf(command, outcome);
    // The caller chooses the id, so only that of an agent passes.
    const agentId = this.#options.state.agents.has(client.agentId) ? client.agentId : '';
    return changes.length === 0 ? undefined : { client: { ...client, agentId }, changes };
  }

  /** Applies a command of the owner's own. Null: it cannot now. */
  tryApply<K extends CommandKind>(command: CommandOf<K>): AnswerByKind[K] | null {
    try {
      return this.apply(command).answer;
    } catch (error) {
      this.#options.logger.debug({ err: error, command: command.kind }, 'a background command was not completed');
      return null;
    }
  }

  /** Resolves with the answer when it is there and all that was applied so far is durable. */
  async afterDurable<Answer>(answer: Answer | Promise<Answer>): Promise<Answer> {
    const durable = this.#options.pipeline.whenDurable();
    const [settled] = await Promise.all([answer, durable]);
    return settled;
  }

  /** Submits one of the owner's own commands. If it fails the owner steps down, which is reported elsewhere. */
  background<K extends CommandKind>(command: CommandOf<K>, then?: (answer: AnswerByKind[K]) => void): void {
    if (this.#options.closed() !== undefined || !this.#options.isLeaseValid()) {
      return;
    }
    this.submit(command)
      .then(then)
      .catch((error: unknown) => {
        this.#options.logger.debug({ err: error, command: command.kind }, 'a background command was not completed');
      });
  }

  /** @throws why the owner has closed; NotOwner when another process may own the cluster */
  requireOwner(): void {
    this.requireOpen();
    this.#requireLease();
  }

  /** @throws why the owner has closed */
  requireOpen(): void {
    const closed = this.#options.closed();
    if (closed !== undefined) {
      throw closed;
    }
  }

  #requireLease(): void {
    if (!this.#options.isLeaseValid()) {
      throw new NotOwner(this.#options.cluster.clusterId);
    }
  }
}
