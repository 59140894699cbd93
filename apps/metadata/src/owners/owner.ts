// The single writer of one virtual cluster. It holds the state in memory, assigns times and ids to commands, makes them durable before it
// publishes their results, and steps down when it can no longer be sure that it is the only writer.
import {
  type AnswerByKind,
  type ClusterSettings,
  type ClusterState,
  type Command,
  type CommandKind,
  type CommandOf,
  type CommitFileAnswer,
  captureSnapshot,
  describeSecurity,
  type Effects,
  heldAccounts,
  type Id,
  type KafkaClient,
  knownFiles,
  type MergePolicy,
  memoryBytes,
  partChecks,
  type ReplaceRunsAnswer,
  type RulesVersion,
  type SnapshotCapture,
  uuidV7TimeMs,
} from '@penstock/metadata-core';
import {
  type ClusterIdentity,
  type DeadFiles,
  HistoryLost,
  type Journal,
  type JournalPosition,
  type LostTail,
  type SparedFiles,
} from '@penstock/metadata-journal';
import type { Logger } from '@penstock/platform';
import type { StateShare } from '../memory/state-budget.ts';
import type { Traces } from '../traces/traces.ts';
import { AgentPresences } from './agent-presence.ts';
import { Agents } from './agents.ts';
import { CallerLog, type Facts } from './caller-log.ts';
import type { Clock } from './clock.ts';
import { CommitPipeline } from './commit-pipeline.ts';
import { CommitTimes } from './commit-times.ts';
import { Committer } from './committer.ts';
import { Deletions } from './deletions.ts';
import { ClusterDeleted, type ClusterStopped, NotOwner, OwnerSteppedDown } from './errors.ts';
import { Expiry } from './expiry.ts';
import { GroupCalls } from './group-calls.ts';
import type { Ids } from './ids.ts';
import type { JobPlans } from './job-plans.ts';
import { kindOf, MergeCounts } from './merge-counts.ts';
import { type CompletedJob, type JobRequest, MergeJobs, type TakenJob } from './merge-jobs.ts';
import type { Patterns } from './patterns/patterns.ts';
import { Quarantine } from './quarantine.ts';
import type { Recovered } from './recovery.ts';
import { type JobRefusal, type MemoryRefusal, type MeteringRefusal, Refusals } from './refusals.ts';
import { SecurityNews } from './security-news.ts';
import { Snapshots } from './snapshots.ts';
import { POINT_SECONDS } from './throughput-ring.ts';
import type { WatchEnd } from './watch-stream.ts';
import { Watches } from './watches.ts';
import { Witnesses } from './witnesses.ts';
import { WriteLimits, type WriteRefusal } from './write-limits.ts';
import { type SnapshotFacts, writeSnapshot } from './write-snapshot.ts';

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
  /** The dead files of the journal's database. */
  deadFiles: DeadFiles;
  /** How long objects stay that no partition refers to any more, in milliseconds. */
  restoreWindowMs: number;
  /** For tests: see `DeletionsOptions`. */
  maxDeadFiles?: number | undefined;
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
  /** Commands that broke an invariant under an owner of this process. Absent: this owner is its only one. */
  quarantine?: Quarantine | undefined;
  /** Signs and checks what merge jobs allow. */
  jobPlans: JobPlans;
  /** Counts the outcomes of merge jobs. Absent: they are not counted. */
  mergeCounts?: MergeCounts | undefined;
  /** Measures commits for /metrics. */
  commitTimes?: CommitTimes | undefined;
  /** When files are merged; for simulations. Absent: the default policy of all clusters. */
  mergePolicy?: MergePolicy | undefined;
  /** For simulations: see `CommitterOptions`. */
  afterCommand?: ((state: ClusterState, command: Command) => void) | undefined;
  /** For simulations: see `CommitterOptions`. */
  onQuarantined?: ((cause: unknown, command: Command) => void) | undefined;
  /** The owner has closed for good; its state must not be used any more. */
  onClosed: (owner: Owner) => void;
}

/** Yields after this much checking, so that commands wait no longer than for a part of a snapshot. */
const CHECK_SLICE_MS = 2;
/** A minute of traffic, in points of its ring. */
const RECENT_POINTS = 60 / POINT_SECONDS;

export class Owner {
  readonly cluster: ClusterIdentity;
  readonly ids: Ids;
  readonly initialRebalanceDelayMs: number;
  readonly agents: Agents;
  readonly watches: Watches;
  readonly groups: GroupCalls;
  readonly deletions: Deletions;
  readonly meteringRefusals = new Refusals<MeteringRefusal>();
  readonly memoryRefusals = new Refusals<MemoryRefusal>();
  readonly jobRefusals = new Refusals<JobRefusal>();

  readonly #writeRefusals = new Refusals<{ atMs: number; reason: string }>();
  readonly #options: OwnerOptions;
  readonly #state: ClusterState;
  readonly #pipeline: CommitPipeline;
  readonly #witnesses: Witnesses;
  readonly #snapshots: Snapshots;
  readonly #committer: Committer;
  readonly #securityNews: SecurityNews;
  readonly #expiry: Expiry;
  readonly #callerLog: CallerLog;
  readonly #writeLimits: WriteLimits;
  readonly #mergeCounts: MergeCounts;
  readonly #mergeJobs: MergeJobs;
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
    this.#pipeline = new CommitPipeline({
      journal,
      cluster,
      clock,
      position: recovered.position,
      rules: recovered.state.rules,
      traces: options.traces,
      times: options.commitTimes ?? new CommitTimes(),
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
        this.#committer.requireOpen();
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
    const { state } = recovered;
    this.#committer = new Committer({
      cluster,
      state,
      lastCommandMs: recovered.lastCommandMs,
      pipeline: this.#pipeline,
      clock,
      logger,
      memory: options.memory,
      quarantine: options.quarantine ?? new Quarantine(),
      isLeaseValid: options.isLeaseValid,
      closed: () => this.#closed,
      onBroken: (cause) => this.#stepDown(cause),
      onChanged: () => this.#countMemory(),
      onMemoryRefused: (reason) => this.#noteMemoryRefusal(reason),
      afterCommand: options.afterCommand,
      onQuarantined: options.onQuarantined,
    });
    const parts = { cluster, state, committer: this.#committer, clock, logger, turn };
    const presences = new AgentPresences(clock);
    this.watches = new Watches({
      ...parts,
      ids: options.ids,
      presences,
      memory: options.memory,
      requireOwner: () => this.#committer.requireOwner(),
      onMemoryChanged: () => this.#countMemory(),
    });
    this.agents = new Agents({ ...parts, presences, watches: this.watches, callerLog: this.#callerLog });
    this.groups = new GroupCalls({ ...parts, patterns: options.patterns });
    this.#expiry = new Expiry(parts);
    this.deletions = new Deletions({
      ...parts,
      clusterId: cluster.clusterId,
      store: options.deadFiles,
      restoreWindowMs: options.restoreWindowMs,
      maxDeadFiles: options.maxDeadFiles,
    });
    this.#securityNews = new SecurityNews({
      clock,
      read: () => this.read(describeSecurity),
      streams: () => this.watches.streams(),
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
    this.#countMemory();
    this.agents.resume();
    this.groups.resume();
    if (recovered.isRaised) {
      // From here on the cluster can be opened without the entries of the level before, which a later release may not know.
      this.#snapshots.take(recovered.position.seq);
    }
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
    return (
      this.#version +
      this.agents.heartbeats +
      this.meteringRefusals.count +
      this.memoryRefusals.count +
      this.jobRefusals.count
    );
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

  /** Bytes written and read in the last minute: the traffic that a move would interrupt. */
  recentBytes(): number {
    const points = this.agents.throughput.points(this.nowMs()).slice(-RECENT_POINTS);
    return points.reduce((sum, { inBytes, outBytes }) => sum + inBytes + outBytes, 0);
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

  /** The limited memory that the cluster holds, and that of its organization's open clusters in this process. */
  memoryAccounts(): { name: string; heldBytes: number; limitBytes: number }[] {
    const { memory } = this.#options;
    const own = heldAccounts(this.#state);
    return memory === undefined
      ? own
      : [...own, { name: 'organization', heldBytes: memory.organizationBytes, limitBytes: memory.limitBytes }];
  }

  get openWatches(): number {
    return this.watches.size;
  }

  nowMs(): number {
    return this.#options.clock.nowMs();
  }

  /** The time that a command would be applied with now: see `Committer`. */
  nextCommandMs(): number {
    return this.#committer.nextCommandMs();
  }

  /** Applies a command. Resolves with its answer when it is durable: see `Committer`. */
  submit<K extends CommandKind>(command: CommandOf<K>, client?: KafkaClient): Promise<AnswerByKind[K]> {
    return this.#committer.submit(command, client);
  }

  /** Runs a query on the state. Resolves when the state that it read is durable: see `Committer`. */
  read<Answer>(question: (state: ClusterState) => Answer): Promise<Answer> {
    return this.#committer.read(question);
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

  /** Await it before submitting a data file, and ask again. Undefined when the file can join the next journal entry. */
  whenRoom(runs: number): Promise<void> | undefined {
    return this.#pipeline.whenRoom(runs);
  }

  /**
   * Checks the position that a caller last received against the journal. Await it before serving the call. Undefined when there is nothing
   * to wait for.
   * @param position an earlier `witnessedPosition`; null when the caller sent none
   * @throws ClusterStopped when entries are lost; NotOwner, OwnerSteppedDown
   */
  checkWitness(position: string | null, witness: string): Promise<void> | undefined {
    return this.#witnesses.check(position, witness);
  }

  /** Whether each file is known, waits for its deletion, or may have been named by a lost entry. */
  async knownFiles(fileIds: readonly Id[]): Promise<boolean[]> {
    const known = await this.read((state) => knownFiles(state, fileIds));
    const nowMs = this.nowMs();
    const spared = (this.#options.spared ?? []).filter(({ untilMs }) => nowMs < untilMs);
    // A file that leaves the state is in the table before.
    const waiting = await this.deletions.holds(fileIds.filter((_, at) => known[at] !== true));
    const inTable = waiting.values();
    return fileIds.map((fileId, at) => {
      if (known[at] === true || inTable.next().value === true) {
        return true;
      }
      const madeMs = uuidV7TimeMs(fileId);
      return madeMs !== undefined && spared.some(({ fromMs, toMs }) => fromMs <= madeMs && madeMs <= toMs);
    });
  }

  /** Renews an agent's merge jobs and hands it one more, if there is one. Resolves when the files that it names are durable. */
  async takeJob(agentId: string, request: JobRequest): Promise<TakenJob> {
    return await this.read(() => this.#mergeJobs.take(agentId, request));
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
    const answer = await this.#swap(command);
    this.#mergeJobs.answered(job.jobId, agentId, answer.outcome, hasMore);
    if (command.level === 1 || command.level === 2) {
      this.#mergeCounts.answered(kindOf(command), answer.outcome);
    }
    return answer;
  }

  /** A repeated swap of a file that has left the state since was applied: agents delete the object of one that was not. */
  async #swap(command: CommandOf<'replace-runs'>): Promise<ReplaceRunsAnswer> {
    const answer = await this.submit(command);
    const [isDead] = answer.outcome === 'applied' ? [] : await this.deletions.holds([command.fileId]);
    return isDead === true ? { outcome: 'applied', reason: '' } : answer;
  }

  /**
   * Stores a snapshot of the live state as of some durable entry, and cuts the journal behind it. Commands continue meanwhile. The state is
   * not duplicated: pages that they change before they are written are copied first.
   * @throws when the owner closes before the snapshot is complete, or the journal refuses it: the snapshot is then not used
   * @throws InvariantError when the state is broken; the owner steps down, and the next owner checks all of the state that it loads
   */
  async takeSnapshot(): Promise<SnapshotFacts> {
    const { journal, clock, journalKeptMs } = this.#options;
    await this.#checkParts();
    const captures: SnapshotCapture[] = [];
    try {
      const position = await this.#pipeline.atEntry(() => captures.push(captureSnapshot(this.#state)));
      const [capture] = captures;
      if (capture === undefined) {
        throw new Error('no state was captured');
      }
      const requireWanted = (): void => this.#committer.requireOpen();
      const options = { clock, journalKeptMs, requireWanted };
      return await writeSnapshot(journal, this.cluster.clusterId, position, capture, options);
    } finally {
      for (const capture of captures) {
        capture.release();
      }
    }
  }

  /** Checks the invariants of the state part by part. Commands run in between. */
  async #checkParts(): Promise<void> {
    const { clock, logger } = this.#options;
    const steps = partChecks(this.#state);
    for (let isDone: boolean | undefined = false; isDone !== true; ) {
      this.#committer.requireOpen();
      const untilMs = clock.monotonicMs() + CHECK_SLICE_MS;
      try {
        do {
          isDone = steps.next().done;
        } while (isDone !== true && clock.monotonicMs() < untilMs);
      } catch (cause) {
        logger.error(
          { err: cause, lastSeq: this.journalSeq },
          'an invariant of the state is broken; the cluster is loaded again',
        );
        this.#stepDown(cause);
        throw cause;
      }
      if (isDone !== true) {
        await new Promise<void>((resolve) => clock.soon(resolve));
      }
    }
  }

  /** Records a commit whose uncompressed sizes cannot be true. */
  noteMeteringRefusal(named: string, problem: string): void {
    const refusal = { atMs: this.nowMs(), agentId: this.agents.known(named), problem };
    if (this.meteringRefusals.note(refusal)) {
      this.#logRefusal('error', refusal, 'an agent named uncompressed sizes that cannot be true');
    }
  }

  #noteJobRefusal(keyId: string, named: string, reason: string): void {
    const refusal = { atMs: this.nowMs(), keyId, agentId: this.agents.known(named), reason };
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
    if (minutes !== current.offsetsRetentionMinutes) {
      this.#committer.background({ kind: 'set-offsets-retention', minutes });
    }
    const bytes = maxUncompressedBatchBytes ?? current.maxUncompressedBatchBytes;
    if (bytes !== current.maxUncompressedBatchBytes) {
      this.#committer.background({ kind: 'set-max-uncompressed-batch-bytes', bytes });
    }
    const isSame =
      (settings.autoCreateTopics ?? current.autoCreateTopics) === current.autoCreateTopics &&
      (settings.defaultPartitions ?? current.defaultPartitions) === current.defaultPartitions &&
      (settings.writesRefused ?? current.writesRefused) === current.writesRefused &&
      (settings.writesRefusedReason ?? current.writesRefusedReason) === current.writesRefusedReason &&
      (settings.mode ?? current.mode) === current.mode;
    if (!isSame) {
      this.#committer.background({ kind: 'update-settings', settings });
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

  #countMemory(): void {
    this.#options.memory?.set(memoryBytes(this.#state).total + this.watches.memoryBytes);
  }

  #publish(batch: readonly Effects[], entryBytes: number): void {
    this.#witnesses.advance(this.journalPosition);
    this.#snapshots.count(this.journalSeq, entryBytes);
    this.#version += 1;
    const nowMs = this.nowMs();
    for (const effects of batch) {
      if (effects.appended !== undefined) {
        const { storedBytes, uncompressedBytes, totalRecords } = effects.appended;
        this.agents.throughput.add(nowMs, {
          inBytes: storedBytes,
          inUncompressedBytes: uncompressedBytes,
          inRecords: totalRecords,
        });
      }
      this.#mergeJobs.observe(effects);
      if (effects.replaced !== undefined) {
        this.#mergeCounts.replaced(effects.replaced);
      }
      this.groups.follow(effects.groups ?? []);
      this.watches.publish(effects);
      if (effects.settingsChanged) {
        this.#writeLimits.follow(this.#state.settings);
        this.watches.publishSettings(this.#state.settings);
      }
      if (effects.securityChanged) {
        this.#securityNews.changed();
      }
    }
  }

  /** Only the certain owner may conclude that entries are lost: any other process may merely be behind. */
  async #concludeLoss(loss: LostTail): Promise<void> {
    this.#committer.requireOwner();
    const stopped = await this.#options.onHistoryLost?.(loss);
    if (stopped !== undefined) {
      throw stopped;
    }
    this.#committer.requireOpen();
  }

  #stepDown(cause: unknown): void {
    const error = new OwnerSteppedDown(this.cluster.clusterId, cause);
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
    this.agents.stop();
    this.#expiry.stop();
    this.#securityNews.stop();
    this.groups.close(error);
    this.watches.closeAll(end);
    this.#options.memory?.close();
    this.#options.onClosed(this);
  }
}
