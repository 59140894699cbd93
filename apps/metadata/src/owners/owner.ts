// The single writer of one virtual cluster. It holds the state in memory, assigns times and ids to commands, makes them durable before it
// publishes their results, and steps down when it can no longer be sure that it is the only writer.
import {
  type AnswerByKind,
  apply,
  type ClientChanges,
  type ClusterSettings,
  type ClusterState,
  type Command,
  type CommandKind,
  type CommandOf,
  type CommitFileAnswer,
  captureSnapshot,
  changesOf,
  describeSecurity,
  type Effects,
  ErrorCode,
  formatsOf,
  groupTimers,
  growthOf,
  heldAccounts,
  type Id,
  type JoinAnswer,
  type KafkaClient,
  knownFiles,
  type MergePolicy,
  memoryBytes,
  memoryClaim,
  type Outcome,
  type ReplaceRunsAnswer,
  type RulesVersion,
  refusedForMemory,
  registeredAgents,
  type SnapshotCapture,
  type SyncAnswer,
  transactionDeadlineMs,
  uuidV7TimeMs,
} from '@penstock/metadata-core';
import {
  type ClusterIdentity,
  HistoryLost,
  type Journal,
  type JournalPosition,
  type LostTail,
  type SparedFiles,
} from '@penstock/metadata-journal';
import type { AgentStats } from '@penstock/metadata-protocol';
import { every, type Logger } from '@penstock/platform';
import { MINUTE_MS } from '@penstock/units';
import type { StateShare } from '../memory/state-budget.ts';
import type { Traces } from '../traces/traces.ts';
import { AgentPresences, type AgentReport } from './agent-presence.ts';
import { CallerLog, type Facts } from './caller-log.ts';
import type { Clock } from './clock.ts';
import { clockCommands } from './clock-steps.ts';
import { CommitPipeline } from './commit-pipeline.ts';
import { ConsumerGroupTasks } from './consumer-group-tasks.ts';
import {
  ClusterDeleted,
  type ClusterStopped,
  MemoryFull,
  NotOwner,
  OwnerBusy,
  OwnerStoppedDown,
  TooManyWatches,
} from './errors.ts';
import { GroupTimers, type MemberRef } from './group-timers.ts';
import type { Ids } from './ids.ts';
import type { JobPlans } from './job-plans.ts';
import { kindOf, MergeCounts } from './merge-counts.ts';
import { type CompletedJob, MergeJobs, type TakenJob } from './merge-jobs.ts';
import { ParkedCalls } from './parked-calls.ts';
import { type Patterns, PatternsHere, sizeProblem } from './patterns/patterns.ts';
import type { Recovered } from './recovery.ts';
import { type JobRefusal, type MemoryRefusal, type MeteringRefusal, Refusals } from './refusals.ts';
import { RetentionSweep } from './retention-sweep.ts';
import { SecurityNews } from './security-news.ts';
import { Snapshots } from './snapshots.ts';
import { ThroughputRing } from './throughput-ring.ts';
import { WatchHub } from './watch-hub.ts';
import { INTEREST_BYTES, NEWS_ENTRY_BYTES } from './watch-limits.ts';
import type { WatchEnd, WatchStream, WatchStreamOptions } from './watch-stream.ts';
import { Witnesses } from './witnesses.ts';
import { WriteLimits, type WriteRefusal } from './write-limits.ts';
import { type SnapshotFacts, writeSnapshot } from './write-snapshot.ts';

const LIVENESS_INTERVAL_MS = 500;
const RETENTION_INTERVAL_MS = 30_000;
const OFFSET_EXPIRY_INTERVAL_MS = 600_000;
/** How often to look for transactions that have timed out. */
const TRANSACTION_TIMEOUT_INTERVAL_MS = 1_000;

export interface OwnerOptions {
  cluster: ClusterIdentity;
  journal: Journal;
  /** Its `nowMs` is the database's time: commands are applied with it. */
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** Undefined when tracing is disabled. */
  traces?: Traces | undefined;
  /** Absent: patterns are matched in this thread, for tests and simulations. */
  patterns?: Patterns | undefined;
  /** Waits for a turn among all clusters; undefined: go on at once. Absent: there are no others. */
  turn?: (() => Promise<void> | undefined) | undefined;
  /** How long the first join of an empty group waits for more members. */
  initialRebalanceDelayMs: number;
  /** How long to keep journal entries that recovery no longer needs, in milliseconds. */
  journalKeptMs: number;
  /** Whether the lease certainly still holds. */
  isLeaseValid: () => boolean;
  /** How many losses of the journal's tail had been accepted before this opening. */
  history?: number | undefined;
  /** Files that the lost entries may have named. */
  spared?: readonly SparedFiles[] | undefined;
  /** The journal lacks entries that were durable. Returns the error for callers; undefined when the loss has been accepted since. */
  onHistoryLost?: ((loss: LostTail) => Promise<ClusterStopped | undefined>) | undefined;
  /** Its part of the organization's memory. Absent: it may grow as the state machine allows. */
  memory?: StateShare | undefined;
  /** Signs and checks what merge jobs allow. */
  jobPlans: JobPlans;
  /** Counts the outcomes of merge jobs. Absent: they are not counted. */
  mergeCounts?: MergeCounts | undefined;
  /** When files are merged; for simulations. Absent: the default policy of all clusters. */
  mergePolicy?: MergePolicy | undefined;
  /** The owner has closed for good; its state must not be used any more. */
  onClosed: (owner: Owner) => void;
}

export class Owner {
  readonly cluster: ClusterIdentity;
  readonly ids: Ids;
  readonly initialRebalanceDelayMs: number;
  readonly presences: AgentPresences;
  readonly throughput = new ThroughputRing();
  readonly meteringRefusals = new Refusals<MeteringRefusal>();
  readonly memoryRefusals = new Refusals<MemoryRefusal>();
  readonly jobRefusals = new Refusals<JobRefusal>();

  readonly #writeRefusals = new Refusals<{ atMs: number; reason: string }>();
  readonly #options: OwnerOptions;
  readonly #state: ClusterState;
  readonly #pipeline: CommitPipeline;
  readonly #witnesses: Witnesses;
  readonly #snapshots: Snapshots;
  readonly #parked = new ParkedCalls();
  readonly #hub = new WatchHub();
  readonly #securityNews: SecurityNews;
  readonly #groupTimers: GroupTimers;
  readonly #consumerGroupTasks: ConsumerGroupTasks;
  readonly #retentionSweep: RetentionSweep;
  readonly #callerLog: CallerLog;
  readonly #writeLimits: WriteLimits;
  readonly #patterns: Patterns;
  readonly #mergeCounts: MergeCounts;
  readonly #mergeJobs: MergeJobs;
  readonly #stopTimers: (() => void)[];
  #lastCommandMs: number;
  #version = 0;
  #closed: Error | undefined;

  constructor(options: OwnerOptions, recovered: Recovered) {
    const { cluster, journal, clock, logger, turn = () => undefined } = options;
    this.#callerLog = new CallerLog(
      (facts, message) => logger.info({ clusterId: cluster.clusterId, ...facts }, message),
      () => clock.monotonicMs(),
    );
    this.cluster = cluster;
    this.ids = options.ids;
    this.initialRebalanceDelayMs = options.initialRebalanceDelayMs;
    this.#options = options;
    this.#state = recovered.state;
    this.#lastCommandMs = recovered.lastCommandMs;
    this.#patterns = options.patterns ?? new PatternsHere();
    this.presences = new AgentPresences(clock);
    this.#pipeline = new CommitPipeline({
      journal,
      cluster,
      clock,
      position: recovered.position,
      rules: recovered.state.rules,
      traces: options.traces,
      onDurable: (effects, entryBytes) => this.#publish(effects, entryBytes),
      onFailed: (cause) => this.#stepDown(cause),
    });
    this.#witnesses = new Witnesses({
      journal,
      clusterId: cluster.clusterId,
      history: options.history ?? 0,
      position: recovered.position,
      onLost: (loss) => this.#concludeLoss(loss),
      onOvertaken: () => {
        this.#stepDown(new Error('another owner has appended to the journal'));
        this.#requireOpen();
      },
    });
    this.#snapshots = new Snapshots(
      {
        take: () => this.takeSnapshot(),
        onWritten: (facts) => logger.info(facts, 'snapshot written'),
        onFailed: (error) => logger.warn({ err: error }, 'snapshot failed; a later one will do'),
      },
      { entries: recovered.replayedEntries, bytes: recovered.replayedBytes },
    );
    this.#securityNews = new SecurityNews({
      clock,
      read: () => this.read(describeSecurity),
      streams: () => this.#hub.streams(),
    });
    this.#groupTimers = new GroupTimers({
      clock,
      onDeadline: (groupId) => this.#endDeadline(groupId),
      onSessionsExpired: (members) => this.#background({ kind: 'expire-members', members }),
    });
    this.#consumerGroupTasks = new ConsumerGroupTasks({
      state: recovered.state,
      clock,
      cluster,
      logger,
      patterns: this.#patterns,
      turn,
      apply: (result) => this.#tryApply<typeof result.kind>(result) !== null,
    });
    this.#retentionSweep = new RetentionSweep({
      state: recovered.state,
      clock,
      turn,
      apply: (command) => this.#tryApply<'expire-runs'>(command),
    });
    this.#writeLimits = new WriteLimits(() => clock.monotonicMs(), recovered.state.settings);
    this.#mergeCounts = options.mergeCounts ?? new MergeCounts();
    this.#mergeJobs = new MergeJobs({
      state: recovered.state,
      clock,
      ids: options.ids,
      counts: this.#mergeCounts,
      plans: options.jobPlans,
      clusterId: cluster.clusterId,
      policy: options.mergePolicy,
    });
    this.#stopTimers = [
      every(LIVENESS_INTERVAL_MS, () => this.#checkAgents(), { timers: clock }),
      every(RETENTION_INTERVAL_MS, () => this.#expireRetention(), { timers: clock }),
      every(OFFSET_EXPIRY_INTERVAL_MS, () => this.#background({ kind: 'expire-offsets' }), { timers: clock }),
      every(TRANSACTION_TIMEOUT_INTERVAL_MS, () => this.#expireTransactions(), { timers: clock }),
      () => this.#groupTimers.stop(),
      () => this.#consumerGroupTasks.stop(),
      () => this.#retentionSweep.stop(),
      () => this.#securityNews.stop(),
    ];
    this.#countMemory();
    this.#resumeTimers();
  }

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** Whether no other process can own the cluster now. */
  get isCertain(): boolean {
    return !this.isClosed && this.#options.isLeaseValid();
  }

  /** Increases with every change that the dashboard shows. */
  get version(): number {
    return this.#version + this.meteringRefusals.count + this.memoryRefusals.count + this.jobRefusals.count;
  }

  /** The position of the last durable entry. */
  get journalPosition(): JournalPosition {
    return this.#pipeline.position;
  }

  /** The position of the last durable entry, in the form that agents keep and later send back as witnesses. */
  get witnessedPosition(): string {
    return this.#witnesses.position;
  }

  get journalSeq(): number {
    return this.#pipeline.position.seq;
  }

  get entriesAppended(): number {
    return this.#pipeline.entriesAppended;
  }

  /** The rules level of the cluster. */
  get rules(): RulesVersion {
    return this.#state.rules;
  }

  /** Partitions of compacted topics that are waiting for a job. */
  get waitingPartitions(): number {
    return this.#mergeJobs.waitingPartitions;
  }

  /** Merge jobs that agents are working on. */
  get openJobs(): number {
    return this.#mergeJobs.size;
  }

  /** What the cluster holds of what is limited, and the open clusters of its organization in this process. */
  memoryAccounts(): { name: string; heldBytes: number; limitBytes: number }[] {
    const { memory } = this.#options;
    const own = heldAccounts(this.#state);
    return memory === undefined
      ? own
      : [...own, { name: 'organization', heldBytes: memory.organizationBytes, limitBytes: memory.limitBytes }];
  }

  get openWatches(): number {
    return this.#hub.size;
  }

  nowMs(): number {
    return this.#options.clock.nowMs();
  }

  /**
   * The time that a command would be applied with now: that of the batch that it would join. No later command gets an earlier one, unless
   * the database's clock is set back.
   */
  nextCommandMs(): number {
    return this.#pipeline.openBatchMs ?? this.nowMs();
  }

  /**
   * Applies a command. Resolves with its answer when the command, and everything the answer depends on, is durable.
   * @param client the Kafka client that asks for it: the audit log names it with what it changed. Absent when nobody did, or somebody in the
   *   control plane, which writes its own audit rows
   * @throws NotOwner, OwnerBusy: nothing was changed. OwnerStoppedDown: it may have been; a retry with the same ids gets the same answer.
   */
  async submit<K extends CommandKind>(command: CommandOf<K>, client?: KafkaClient): Promise<AnswerByKind[K]> {
    const { answer } = this.#apply(command, client);
    await this.#pipeline.whenDurable();
    return answer;
  }

  /**
   * Commits a data file, unless the cluster may not be written to. A file that was committed gets its answer in any case.
   * @throws as `submit`
   */
  async commitFile(command: CommandOf<'commit-file'>): Promise<CommitFileAnswer> {
    const { answers, settings } = this.#state;
    const refusal = answers.find(command.fileId) === undefined ? this.#writeLimits.admit(command, settings) : null;
    if (refusal === null) {
      return await this.submit(command);
    }
    this.#noteRefusedWrite(refusal);
    return await this.read(() => ({
      ...refusal,
      batchBaseOffset: new Float64Array(0),
      batchErrorCode: new Int32Array(0),
      runLogStartOffset: new Float64Array(0),
    }));
  }

  /** Registers an agent. Its presence begins with the registration, so that no check of the agents takes it for gone before the answer. */
  async registerAgent(command: CommandOf<'register-agent'>): Promise<AnswerByKind['register-agent']> {
    const { answer } = this.#apply(command);
    if (answer.refused === null) {
      this.presences.welcome(command.agentId, command.keyId);
    }
    return await this.#afterDurable(answer);
  }

  /** Await it before submitting a data file, and ask again. Undefined when the file can join the next journal entry. */
  whenRoom(runs: number): Promise<void> | undefined {
    return this.#pipeline.whenRoom(runs);
  }

  /** Runs a query on the state. Resolves when the state that it read is durable. */
  async read<Answer>(question: (state: ClusterState) => Answer): Promise<Answer> {
    this.#requireOpen();
    this.#requireLease();
    const answer = question(this.#state);
    await this.#pipeline.whenDurable();
    return answer;
  }

  /**
   * Checks the position that a caller last received against the journal. Await it before serving the call. Undefined when there is nothing
   * to wait for.
   * @param position an earlier `witnessedPosition`; null when the caller sent none
   * @throws ClusterStopped when entries are lost; NotOwner, OwnerStoppedDown
   */
  checkWitness(position: string | null, witness: string): Promise<void> | undefined {
    return this.#witnesses.check(position, witness);
  }

  /** Whether each file is known, or may have been named by a lost entry. */
  async knownFiles(fileIds: readonly Id[]): Promise<boolean[]> {
    const known = await this.read((state) => knownFiles(state, fileIds));
    const nowMs = this.nowMs();
    const spared = (this.#options.spared ?? []).filter(({ untilMs }) => nowMs < untilMs);
    if (spared.length === 0) {
      return known;
    }
    return fileIds.map((fileId, at) => {
      const madeMs = uuidV7TimeMs(fileId);
      const isSpared = madeMs !== undefined && spared.some(({ fromMs, toMs }) => fromMs <= madeMs && madeMs <= toMs);
      return known[at] === true || isSpared;
    });
  }

  /** Renews an agent's merge jobs and hands it one more, if there is one. Resolves when the files that it names are durable. */
  async takeJob(
    agentId: string,
    runningJobIds: readonly Id[],
    wantsJob: boolean,
    canCompact = false,
    canReadLanded?: boolean,
  ): Promise<TakenJob> {
    return await this.read(() => this.#mergeJobs.take(agentId, runningJobIds, wantsJob, canCompact, canReadLanded));
  }

  /**
   * Swaps a merged file in, if a job ordered it. `hasMore`: it is not the last one of its job. Any owner can do this, not only the one that
   * handed the job out.
   * @returns a refusal that does not say whether the swap was applied before: its object must stay
   */
  async completeJob(
    agentId: string,
    keyId: string,
    job: CompletedJob,
    command: CommandOf<'replace-runs'>,
    hasMore = false,
  ): Promise<ReplaceRunsAnswer> {
    const refusal = await this.read(() => this.#mergeJobs.refusal(agentId, job, command));
    if (refusal !== null) {
      this.#noteJobRefusal(keyId, agentId, refusal);
      return { outcome: 'stale', reason: refusal };
    }
    const answer = await this.submit(command);
    this.#mergeJobs.answered(job.jobId, agentId, answer.outcome, hasMore);
    if (command.level === 1 || command.level === 2) {
      this.#mergeCounts.answered(kindOf(command), answer.outcome);
    }
    return answer;
  }

  /** JoinGroup: resolves when the join phase ends or, in a group of the new protocol, when the member's next assignment is computed. */
  async join(command: CommandOf<'join-group'>): Promise<JoinAnswer> {
    const { answer } = this.#apply(command);
    if (!answer.waiting && answer.isAssignmentDue === true) {
      this.#consumerGroupTasks.look(command.groupId);
      await this.#consumerGroupTasks.whenAssigned(command.groupId);
      return await this.#joinOnce({ ...command, memberId: answer.memberId });
    }
    return await this.#parkedJoin(command, answer);
  }

  async #joinOnce(command: CommandOf<'join-group'>): Promise<JoinAnswer> {
    return await this.#parkedJoin(command, this.#apply(command).answer);
  }

  async #parkedJoin(command: CommandOf<'join-group'>, answer: AnswerByKind['join-group']): Promise<JoinAnswer> {
    // Parked before anything is published, since this very command may complete the group.
    const parked = answer.waiting ? this.#parked.parkJoin(command.groupId, answer.memberId) : answer;
    return await this.#afterDurable(parked);
  }

  /** SyncGroup: resolves when the leader has sent the assignments. */
  async sync(command: CommandOf<'sync-group'>): Promise<SyncAnswer> {
    const { answer } = this.#apply(command);
    const parked = answer.waiting ? this.#parked.parkSync(command.groupId, answer.memberId) : answer;
    return await this.#afterDurable(parked);
  }

  /** Why a regular expression of topics is refused; null when it is not. @throws PatternsUnavailable */
  async patternProblem(pattern: string): Promise<string | null> {
    return sizeProblem(pattern) ?? (await this.#patterns.problem(this.cluster, pattern));
  }

  /**
   * ConsumerGroupHeartbeat. A member that joins is answered once its assignment is computed, or after some seconds without it. Any other
   * learns at once what its heartbeat has caused to be computed, unless that takes longer than a turn. Not journaled when it changes nothing.
   */
  async consumerGroupHeartbeat(
    command: CommandOf<'consumer-group-heartbeat'>,
  ): Promise<AnswerByKind['consumer-group-heartbeat']> {
    const { answer } = this.#apply(command);
    const { groupId, memberEpoch } = command;
    if (answer.errorCode === ErrorCode.NONE && memberEpoch >= 0) {
      const { memberId, sessionTimeoutMs } = answer;
      this.#groupTimers.touch(groupId, memberId, sessionTimeoutMs);
      this.#consumerGroupTasks.look(groupId);
      // An answer that has an assignment is sent: a second step would leave it out, because it has not changed since the first.
      const isComputed = answer.assignment === null && this.#consumerGroupTasks.isAssigned(groupId);
      if (answer.isAssignmentDue && (memberEpoch === 0 || isComputed)) {
        await this.#consumerGroupTasks.whenAssigned(groupId);
        return await this.submit({ ...command, memberId, memberEpoch: answer.memberEpoch });
      }
    }
    await this.#pipeline.whenDurable();
    return answer;
  }

  /**
   * Stores a snapshot of the live state as of some durable entry, and cuts the journal behind it. Commands continue meanwhile. The state is
   * not duplicated: pages that they change before they are written are copied first.
   * @throws when the owner closes before the snapshot is complete, or the journal refuses it: the snapshot is then not used
   */
  async takeSnapshot(): Promise<SnapshotFacts> {
    const { journal, clock, journalKeptMs } = this.#options;
    const captures: SnapshotCapture[] = [];
    try {
      const position = await this.#pipeline.atEntry(() => captures.push(captureSnapshot(this.#state)));
      const [capture] = captures;
      if (capture === undefined) {
        throw new Error('no state was captured');
      }
      const requireWanted = (): void => this.#requireOpen();
      const options = { clock, journalKeptMs, requireWanted };
      return await writeSnapshot(journal, this.cluster.clusterId, position, capture, options);
    } finally {
      for (const capture of captures) {
        capture.release();
      }
    }
  }

  /** Restarts the session of a classic member. One of the new protocol does that by its own heartbeats only. */
  touchMember({ groupId, memberId }: MemberRef): void {
    const member = this.#state.groups.get(groupId)?.consumer?.members.get(memberId);
    if (member === undefined || member.classic !== null) {
      this.#groupTimers.touch(groupId, memberId);
    }
  }

  /** Records an agent's heartbeat and counters. */
  agentHeartbeat(agentId: string, stats: AgentStats | undefined): void {
    const outBytes = this.presences.heartbeat(agentId, stats);
    this.throughput.add(this.nowMs(), { outBytes });
    this.#version += 1;
  }

  /** Records what an agent says of itself, and tells the others what they have to know. Not journaled: a new owner hears it again. */
  noteReport(agentId: string, report: AgentReport): void {
    const wasNotReady = this.presences.isNotReady(agentId);
    if (!this.presences.report(agentId, report)) {
      return;
    }
    if (wasNotReady !== this.presences.isNotReady(agentId)) {
      this.#callerLog.write({ agentId, notReady: report.notReady ?? '' }, 'an agent changed its readiness');
    }
    this.#hub.publish({ catalogue: { topics: [], deletedTopicIds: [], agentsChanged: true } });
  }

  /** Whether a call with this key can be from the agent, by its presence and by its registration. */
  isAgentOf(agentId: string, keyId: string): boolean {
    const registered = this.#state.agents.get(agentId)?.keyId ?? keyId;
    return registered === keyId && this.presences.isOf(agentId, keyId);
  }

  /** Records a commit whose uncompressed sizes cannot be true. */
  noteMeteringRefusal(named: string, problem: string): void {
    const refusal = { atMs: this.nowMs(), agentId: this.#knownAgent(named), problem };
    if (this.meteringRefusals.note(refusal)) {
      this.#logRefusal('error', refusal, 'an agent named uncompressed sizes that cannot be true');
    }
  }

  /** The id of an agent as a caller named it; empty if there is none. The caller chooses the text, so nothing else passes. */
  #knownAgent(named: string): string {
    return registeredAgents(this.#state).some(({ agentId }) => agentId === named) ? named : '';
  }

  #noteJobRefusal(keyId: string, named: string, reason: string): void {
    const refusal = { atMs: this.nowMs(), keyId, agentId: this.#knownAgent(named), reason };
    if (this.jobRefusals.note(refusal)) {
      this.#logRefusal('error', refusal, 'an agent completed a job that was not handed out');
    }
  }

  #noteRefusedWrite({ errorMessage }: WriteRefusal): void {
    const refusal = { atMs: this.nowMs(), reason: errorMessage };
    if (this.#writeRefusals.note(refusal)) {
      this.#logRefusal('warn', refusal, 'refused a file that an agent should not have accepted');
    }
  }

  #noteMemoryRefusal(reason: string): void {
    const refusal = { atMs: this.nowMs(), reason };
    if (this.memoryRefusals.note(refusal)) {
      this.#logRefusal('warn', refusal, 'no memory for what a call would add');
    }
  }

  #logRefusal(level: 'error' | 'warn', refusal: Facts, message: string): void {
    this.#options.logger[level]({ clusterId: this.cluster.clusterId, ...refusal }, message);
  }

  /**
   * Opens a watch stream. Its first event is the whole catalogue: see `roomForFirst`.
   * @throws TooManyWatches
   */
  openWatch(
    agentId: string,
    { keyId = '', cutOff = () => undefined }: Partial<Pick<WatchStreamOptions, 'keyId' | 'cutOff'>> = {},
  ): { stream: WatchStream; state: ClusterState } {
    this.#requireOpen();
    this.#requireLease();
    const { memory, clock } = this.#options;
    const surplus = this.#hub.surplus(agentId);
    if (surplus !== undefined) {
      this.closeWatch(surplus, 'replaced');
    }
    const refusal = this.#hub.refusal(keyId) ?? memory?.watchRefusal() ?? null;
    if (refusal !== null) {
      throw new TooManyWatches(refusal);
    }
    const stream = this.#hub.open({ watchId: this.ids.uuid(), agentId, keyId, clock, cutOff });
    memory?.watchOpened();
    this.#countMemory();
    this.presences.watchOpened(agentId);
    return { stream, state: this.#state };
  }

  /** Resolves when the first event of a stream may be made: those of many agents at once would take too much memory. */
  async roomForFirst(stream: WatchStream): Promise<void> {
    const { topicChars, topics, agents } = this.#state;
    await this.#hub.roomForFirst(stream, topicChars + (topics.size + agents.size) * NEWS_ENTRY_BYTES);
  }

  closeWatch(stream: WatchStream, end: WatchEnd): void {
    if (this.#hub.get(stream.watchId) === stream) {
      this.presences.watchClosed(stream.agentId);
      this.#options.memory?.watchClosed();
    }
    this.#hub.remove(stream, end);
    this.#countMemory();
  }

  /** The stream with this id; undefined when there is none, or no more. */
  watchStream(watchId: string): WatchStream | undefined {
    return this.#hub.get(watchId);
  }

  /** @returns why the stream may not follow one more partition; null when it follows this one now */
  addInterest(stream: WatchStream, topicId: Id, partition: number): string | null {
    const { memory } = this.#options;
    const noMemory = (): string | null => memory?.refusal(INTEREST_BYTES) ?? null;
    const refusal = this.#hub.addInterest(stream, topicId, partition, noMemory);
    this.#countMemory();
    return refusal;
  }

  removeInterest(stream: WatchStream, topicId: Id, partition: number): void {
    this.#hub.removeInterest(stream, topicId, partition);
  }

  /**
   * Logs who asked for a change of users, ACLs or quotas.
   * @param actor as the caller named it: a Kafka principal, or somebody in the control plane
   */
  noteAccessChange(actor: string, change: Facts): void {
    this.#callerLog.write({ actor, ...change }, 'a change of users, ACLs or quotas was asked for');
  }

  /** Logs that somebody aborted a transaction of another. @param actor as the caller named it */
  noteTransactionAbort(actor: string, abort: Facts): void {
    this.#callerLog.write({ actor, ...abort }, 'a transaction was to be aborted');
  }

  /** Applies the settings of the control plane. */
  applySettings({
    offsetsRetentionMinutes,
    maxUncompressedBatchBytes,
    ...settings
  }: Partial<Omit<ClusterSettings, 'clientMetrics'>>): void {
    const current = this.#state.settings;
    const minutes = offsetsRetentionMinutes ?? current.offsetsRetentionMinutes;
    // Settings are applied again after the cluster's level was raised.
    if (minutes !== current.offsetsRetentionMinutes && this.#state.rules >= 4) {
      this.#background({ kind: 'set-offsets-retention', minutes });
    }
    const bytes = maxUncompressedBatchBytes ?? current.maxUncompressedBatchBytes;
    if (bytes !== current.maxUncompressedBatchBytes && this.#state.rules >= 6) {
      this.#background({ kind: 'set-max-uncompressed-batch-bytes', bytes });
    }
    const isSame =
      (settings.autoCreateTopics ?? current.autoCreateTopics) === current.autoCreateTopics &&
      (settings.defaultPartitions ?? current.defaultPartitions) === current.defaultPartitions &&
      (settings.writesRefused ?? current.writesRefused) === current.writesRefused &&
      (settings.writesRefusedReason ?? current.writesRefusedReason) === current.writesRefusedReason &&
      (settings.mode ?? current.mode) === current.mode;
    if (!isSame) {
      this.#background({ kind: 'update-settings', settings });
    }
  }

  /** While the organization is suspended, files that agents had begun are accepted for a shorter time. Not journaled. */
  noteSuspension(isSuspended: boolean): void {
    this.#writeLimits.suspend(isSuspended);
  }

  /** Closes the owner: refuses new calls and waits for those in progress. The caller releases the lease. */
  async retire(): Promise<void> {
    if (this.#closed !== undefined) {
      return;
    }
    const durable = this.#pipeline.whenDurable();
    this.#close(new NotOwner(this.cluster.clusterId), 'owner-stepped-down');
    await durable.catch(() => undefined);
  }

  /** Closes the owner because the cluster was deleted. */
  closeDeleted(): void {
    this.#close(new ClusterDeleted(this.cluster.clusterId), 'cluster-deleted');
  }

  /** Closes the owner because acknowledged entries of the cluster are lost. */
  closeStopped(error: ClusterStopped): void {
    this.#pipeline.fail(error);
    this.#close(error, 'cluster-stopped');
  }

  /** Closes the owner because another process may hold the lease. */
  leaseLost(reason = 'another process holds it'): void {
    this.#stepDown(new Error(`the lease is lost: ${reason}`));
  }

  #apply<K extends CommandKind>(command: CommandOf<K>, client?: KafkaClient): Outcome<K> {
    this.#requireOpen();
    if (this.#pipeline.isFull) {
      throw new OwnerBusy(this.cluster.clusterId);
    }
    const refused = this.#refusedForMemory(command);
    if (refused !== null) {
      this.#requireLease();
      return { changed: false, answer: refused, effects: {} };
    }
    const nowMs = this.#pipeline.openBatchMs ?? this.#nextBatchMs();
    return this.#applyAt(command, nowMs, client);
  }

  /**
   * The answer to a command for which this process has no memory. Null: it has. Not part of the state machine, since it depends on what else
   * the process holds.
   * @throws MemoryFull when the command has no answer for that
   */
  #refusedForMemory<K extends CommandKind>(command: CommandOf<K>): AnswerByKind[K] | null {
    const { memory } = this.#options;
    const claim = memory === undefined ? null : memoryClaim(this.#state, command);
    const reason = claim === null ? null : (memory?.refusal(claim.mostBytes) ?? null);
    if (reason === null || growthOf(this.#state, command) <= 0) {
      return null;
    }
    memory?.noteRefusal();
    this.#noteMemoryRefusal(reason);
    // The answer is that of the command's own kind.
    const answer = refusedForMemory(command, reason) as AnswerByKind[K] | null;
    if (answer === null) {
      throw new MemoryFull(reason);
    }
    return answer;
  }

  #countMemory(): void {
    this.#options.memory?.set(memoryBytes(this.#state).total + this.#hub.memoryBytes);
  }

  /** The time of the next batch. If the history's time is far ahead, because of a wrong clock, it is first set back. */
  #nextBatchMs(): number {
    const nowMs = this.nowMs();
    for (const command of clockCommands(this.#state.rules, this.#lastCommandMs, nowMs)) {
      this.#options.logger.warn({ aheadMs: this.#lastCommandMs - nowMs }, 'the clock of the database was set back');
      this.#applyAt(command, nowMs);
    }
    return nowMs;
  }

  #applyAt<K extends CommandKind>(command: CommandOf<K>, nowMs: number, client?: KafkaClient): Outcome<K> {
    let outcome: Outcome<K>;
    try {
      outcome = apply(this.#state, command, nowMs);
    } catch (cause) {
      // An invariant broke, possibly half-way through a change: this state must not be used again.
      this.#stepDown(cause);
      throw new OwnerStoppedDown(this.cluster.clusterId, cause);
    }
    if (outcome.lacksMemory === true) {
      this.#noteMemoryRefusal('The virtual cluster holds as much as it may.');
    }
    if (outcome.changed) {
      this.#lastCommandMs = nowMs;
      this.#countMemory();
      this.#pipeline.add(command, nowMs, outcome.effects, this.#clientChanges(command, outcome, client));
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
    if (client === undefined || formatsOf(this.#state.rules).entryWithChanges === null) {
      return undefined;
    }
    const changes = changesOf(command, outcome);
    // The caller chooses the id, so only that of an agent passes.
    const agentId = this.#state.agents.has(client.agentId) ? client.agentId : '';
    return changes.length === 0 ? undefined : { client: { ...client, agentId }, changes };
  }

  /** Applies what was computed for a group. False when the owner cannot take it now. */
  async #expireRetention(): Promise<void> {
    this.#background({ kind: 'expire-retention' });
    if (this.#state.rules >= 6) {
      await this.#retentionSweep.run();
    }
  }

  /** Applies a command of the owner's own. Null: it cannot now. */
  #tryApply<K extends CommandKind>(command: CommandOf<K>): AnswerByKind[K] | null {
    try {
      return this.#apply(command).answer;
    } catch (error) {
      this.#options.logger.debug({ err: error, command: command.kind }, 'a background command was not completed');
      return null;
    }
  }

  async #afterDurable<Answer>(answer: Answer | Promise<Answer>): Promise<Answer> {
    const durable = this.#pipeline.whenDurable();
    const [settled] = await Promise.all([answer, durable]);
    return settled;
  }

  #endDeadline(groupId: string): void {
    // A command that joined an open batch got the time of that batch, which may be before the deadline.
    this.#background({ kind: 'group-deadline', groupId }, ({ fired }) => {
      if (!fired) {
        this.#groupTimers.retryDeadline(groupId);
      }
    });
  }

  /** Submits one of the owner's own commands. If it fails the owner steps down, which is reported elsewhere. */
  #background<K extends CommandKind>(command: CommandOf<K>, then?: (answer: AnswerByKind[K]) => void): void {
    if (this.#closed !== undefined || !this.#options.isLeaseValid()) {
      return;
    }
    this.submit(command)
      .then(then)
      .catch((error: unknown) => {
        this.#options.logger.debug({ err: error, command: command.kind }, 'a background command was not completed');
      });
  }

  #publish(batch: readonly Effects[], entryBytes: number): void {
    this.#witnesses.advance(this.journalPosition);
    this.#snapshots.count(this.journalSeq, entryBytes);
    this.#version += 1;
    const nowMs = this.nowMs();
    for (const effects of batch) {
      if (effects.appended !== undefined) {
        const { storedBytes, uncompressedBytes, totalRecords } = effects.appended;
        this.throughput.add(nowMs, {
          inBytes: storedBytes,
          inUncompressedBytes: uncompressedBytes,
          inRecords: totalRecords,
        });
      }
      this.#mergeJobs.observe(effects);
      if (effects.replaced !== undefined) {
        this.#mergeCounts.replaced(effects.replaced);
      }
      for (const effect of effects.groups ?? []) {
        this.#groupTimers.follow(effect);
        this.#parked.answer(effect);
        if (effect.ended.length > 0) {
          this.#consumerGroupTasks.lookAfterLeaving(effect.groupId);
        } else {
          this.#consumerGroupTasks.look(effect.groupId);
        }
      }
      this.#hub.publish(effects);
      if (effects.settingsChanged) {
        this.#writeLimits.follow(this.#state.settings);
        for (const stream of this.#hub.streams()) {
          stream.pushSettings(this.#state.settings);
        }
      }
      if (effects.securityChanged) {
        this.#securityNews.changed();
      }
    }
  }

  #checkAgents(): void {
    for (const stream of [...this.#hub.streams()]) {
      if (stream.isStuck) {
        this.closeWatch(stream, 'too-slow');
      }
    }
    this.presences.keepOnly(this.#state.agents);
    const alive: string[] = [];
    for (const agent of this.#state.agents.values()) {
      if (agent.leftAtMs !== null) {
        continue;
      }
      if (this.presences.isGone(agent.agentId)) {
        this.#giveUpAgent(agent.agentId);
      } else {
        alive.push(agent.agentId);
      }
    }
    const minute = Math.floor(this.nowMs() / MINUTE_MS);
    if (alive.length > 0 && minute > this.#state.lastMarkedMinute) {
      this.#background({ kind: 'minute-mark', minute, aliveAgentIds: alive });
    }
  }

  #expireTransactions(): void {
    const deadlineMs = transactionDeadlineMs(this.#state);
    if (deadlineMs !== null && deadlineMs <= this.nowMs()) {
      this.#background({ kind: 'expire-transactions' });
    }
  }

  #giveUpAgent(agentId: string): void {
    this.#callerLog.write({ agentId }, 'agent given up: no heartbeat, or no watch stream');
    for (const stream of [...this.#hub.streams()]) {
      if (stream.agentId === agentId) {
        this.closeWatch(stream, 'closed');
      }
    }
    this.#background({ kind: 'agent-left', agentId });
  }

  /** After an opening, every registered agent and every group member gets a new grace period. */
  #resumeTimers(): void {
    for (const agent of this.#state.agents.values()) {
      if (agent.leftAtMs === null) {
        this.presences.welcome(agent.agentId, agent.keyId ?? undefined);
      }
    }
    const groups = groupTimers(this.#state);
    for (const timers of groups) {
      this.#groupTimers.follow({ ...timers, ended: [] });
    }
    this.#consumerGroupTasks.lookAtAll(groups.map(({ groupId }) => groupId));
  }

  #requireOpen(): void {
    if (this.#closed !== undefined) {
      throw this.#closed;
    }
  }

  #requireLease(): void {
    if (!this.#options.isLeaseValid()) {
      throw new NotOwner(this.cluster.clusterId);
    }
  }

  /** Only the certain owner may conclude that entries are lost: any other process may merely be behind. */
  async #concludeLoss(loss: LostTail): Promise<void> {
    this.#requireOpen();
    this.#requireLease();
    const stopped = await this.#options.onHistoryLost?.(loss);
    if (stopped !== undefined) {
      throw stopped;
    }
    this.#requireOpen();
  }

  #stepDown(cause: unknown): void {
    const error = new OwnerStoppedDown(this.cluster.clusterId, cause);
    // Also for an owner that has closed: it waits for calls in progress before its lease is released.
    this.#pipeline.fail(error);
    if (this.#closed !== undefined) {
      return;
    }
    if (cause instanceof HistoryLost) {
      this.#tellOfLoss(cause);
    }
    this.#options.logger.warn({ err: cause }, 'stepping down');
    this.#close(error, 'owner-stepped-down');
  }

  #tellOfLoss({ expected, last }: HistoryLost): void {
    const witnessed = { history: this.#options.history ?? 0, ...expected };
    this.#options.onHistoryLost?.({ witness: 'its owner', witnessed, last }).catch((error: unknown) => {
      // The next opening in this process finds the same loss.
      this.#options.logger.error({ err: error }, 'that entries are lost could not be written down');
    });
  }

  #close(error: Error, end: WatchEnd): void {
    if (this.#closed !== undefined) {
      return;
    }
    this.#closed = error;
    for (const stop of this.#stopTimers) {
      stop();
    }
    this.#parked.rejectAll(error);
    this.#hub.closeAll(end);
    this.#options.memory?.close();
    this.#options.onClosed(this);
  }
}
