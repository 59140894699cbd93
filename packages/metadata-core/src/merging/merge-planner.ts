// Plans the merge jobs of one cluster. Pure: state, effects of commands and times go in, jobs come out. Plans are not journaled; a new
// owner finds the work by a survey. See policy.ts for what is merged when.
//
// Planning never walks over the whole state at once. Files of level 0 are queued as they are committed, so a job of level 1 costs a lookup
// per run. A job of level 2, and the survey after an opening, visit rows that they may not need. Each call visits a limited number of rows,
// and the next call continues (see bench/merging.ts).

import { MINUTE_MS } from '@penstock/units';
import { present } from '../model/assert.ts';
import { doubleAt, numberAt, wordAt } from '../model/checked.ts';
import { type IdKey, idKey, isLandedId, sameId } from '../model/ids.ts';
import type { Effects } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { FileTable } from '../state/file-table.ts';
import type { Partition } from '../state/partition.types.ts';
import type { Topic } from '../state/topic.ts';
import { CompactionPlanner } from './compaction-planner.ts';
import { JobBuilder, type MergeJob } from './job-builder.ts';
import { type Budget, LongRuns } from './long-runs.ts';
import { OpenTargets } from './open-targets.ts';
import { MERGE_POLICY, type MergePolicy, pauseMs, staysAsItIs } from './policy.ts';
import { rowsWithMarkers } from './rows-with-markers.ts';
import { partitionOfPlace, placeOf, RunQueue, topicOfPlace, type WaitingFile } from './run-queue.ts';
import { Survey } from './survey.ts';

/** Rows that one call visits: a few milliseconds. */
const ROWS_PER_CALL = 65_536;
/** A job that failed this often is split in two, so that one unreadable file does not block the others. */
const FAILURES_BEFORE_CUT = 2;
/** Files have to leave the landing buckets, so they are tried again soon after these work again. */
const LONGEST_PAUSE_OF_LANDED_MS = 5 * MINUTE_MS;
/** After this many sweeps with failures, a window is left as it is. */
const MAX_SWEEPS = 6;
/** The kinds take turns, however much work one of them has. */
const KINDS = ['fresh', 'long', 'compaction'] as const;
type JobKind = (typeof KINDS)[number];

export interface Plan {
  job: MergeJob | null;
  /** The planner has not visited everything: call again at once. */
  isUnfinished: boolean;
}

/** The files of level 0 that one job reads, and how often it failed. */
interface FreshJob {
  files: WaitingFile[];
  failures: number;
  notBeforeMs: number;
}

/** A sweep over the partitions for one window. */
interface Sweep {
  longRuns: LongRuns;
  fromMs: number;
  /** Whether all its jobs are planned. */
  isOver: boolean;
  openJobs: number;
  hasFailed: boolean;
  failures: number;
  notBeforeMs: number;
}

/** The runs of level 0 that one partition has in some files. Rows move when the front of the log is truncated; base offsets do not. */
interface Gathered {
  topic: Topic;
  partition: number;
  baseOffsets: number[];
  /** Per run, the number of its file. */
  files: number[];
}

/** Whether a compaction job has the run of a partition that starts at this offset. */
type IsHeld = (partition: Partition, offset: number) => boolean;

/** A job of level 1 that is being assembled over several calls, partition by partition. */
interface Assembly {
  fresh: FreshJob;
  gathered: Gathered[];
  /** Partitions that have been added. */
  done: number;
  builder: JobBuilder;
  /** Numbers of the files with live runs. */
  alive: Set<number>;
}

export class MergePlanner {
  readonly #state: ClusterState;
  readonly #policy: MergePolicy;
  readonly #topicNumbers = new Map<IdKey, number>();
  readonly #topicKeys: IdKey[] = [];
  #survey: Survey | null;
  readonly #surveyed = new RunQueue();
  readonly #fresh = new RunQueue();
  readonly #givenUp: FreshJob[] = [];
  readonly #openFresh = new Map<MergeJob, FreshJob>();
  readonly #openLong: OpenTargets;
  readonly #compaction: CompactionPlanner;
  #assembly: Assembly | null = null;
  #sweep: Sweep | null = null;
  /** Commit times of the files of level 1 that no window has covered yet, oldest first. */
  #mergedAtMs: number[] = [];
  /** There are files of level 0, committed up to this time, that are not queued. Null: there are none. */
  #unqueuedUntilMs: number | null = null;
  /** Ends of transactions since the last file that was queued. */
  #newMarkers = 0;
  #lastKind: JobKind = 'compaction';

  /** @param nowMs the time for a state that is durable; effects of later commands go to `observe` */
  constructor(state: ClusterState, nowMs: number, policy: MergePolicy = MERGE_POLICY) {
    this.#state = state;
    this.#policy = policy;
    this.#survey = this.#newSurvey(nowMs);
    this.#openLong = new OpenTargets(state);
    this.#compaction = new CompactionPlanner(state, policy, {
      hasPartition: (partition) => this.#openLong.has(partition),
      willMerge: (slot, committedAtMs) => this.#willMerge(slot, committedAtMs),
    });
  }

  /** Files of level 0 that are waiting for a job. */
  get waitingFiles(): number {
    return this.#surveyed.files + this.#fresh.files;
  }

  /** Partitions of compacted topics that are waiting for a job. */
  get waitingPartitions(): number {
    return this.#compaction.waitingPartitions;
  }

  /** Call with the effects of every durable command, in order. */
  observe({ appended, replaced, markers }: Effects): void {
    this.#newMarkers += markers?.length ?? 0;
    if (replaced?.level === 1) {
      insertSorted(this.#mergedAtMs, replaced.committedAtMs);
    }
    if (appended === undefined) {
      return;
    }
    const { count, topicIds, storedBytes } = appended;
    if (staysAsItIs(this.#policy, appended.fileId, storedBytes, count)) {
      return;
    }
    const slot = this.#state.files.slotOf(appended.fileId);
    if (slot === undefined) {
      return;
    }
    const committedAtMs = this.#state.files.committedAtMs(slot);
    if (this.#fresh.runs + count > this.#policy.maxQueuedRuns) {
      this.#unqueuedUntilMs = committedAtMs;
      return;
    }
    const topics = topicIds.map((topicId) => this.#topicNumber(idKey(topicId)));
    this.#fresh.push(committedAtMs, storedBytes, count, this.#newMarkers, isLandedId(appended.fileId));
    this.#newMarkers = 0;
    for (let run = 0; run < count; run += 1) {
      const place = placeOf(numberAt(topics, wordAt(appended.topic, run)), wordAt(appended.partition, run));
      this.#fresh.pushRun(place, doubleAt(appended.baseOffset, run));
    }
  }

  /**
   * The next job. Its runs are in no other open job. Every job must be ended by `complete` or `giveUp`.
   * @param canCompact whether the agent supports compaction
   * @param canReadLanded whether the agent has landing buckets: others get no job with files that lie there
   */
  plan(nowMs: number, canCompact = false, canReadLanded = true): Plan {
    if (this.#survey !== null) {
      if (!this.#survey.step(ROWS_PER_CALL) || !this.#survey.fill(this.#surveyed, ROWS_PER_CALL)) {
        return { job: null, isUnfinished: true };
      }
      this.#endSurvey(this.#survey);
    }
    const next = KINDS.indexOf(this.#lastKind) + 1;
    for (const kind of [...KINDS.slice(next), ...KINDS.slice(0, next)]) {
      const plan = this.#planKind(kind, nowMs, canCompact, canReadLanded);
      if (plan.job !== null || plan.isUnfinished) {
        this.#lastKind = plan.job === null ? this.#lastKind : kind;
        return plan;
      }
    }
    return { job: null, isUnfinished: this.#mustSurvey(nowMs) };
  }

  /** The job's swap was applied. */
  complete(job: MergeJob): void {
    this.#openFresh.delete(job);
    this.#compaction.complete(job);
    if (this.#openLong.leave(job) !== undefined && this.#sweep !== null) {
      this.#sweep.openJobs -= 1;
    }
  }

  /** The agent will not complete the job: its runs can be planned again. */
  giveUp(job: MergeJob, nowMs: number): void {
    if (this.#compaction.giveUp(job, nowMs)) {
      return;
    }
    const fresh = this.#openFresh.get(job);
    this.complete(job);
    if (fresh !== undefined) {
      this.#giveUpFresh(fresh, nowMs);
    } else if (this.#sweep !== null) {
      this.#sweep.hasFailed = true;
    }
  }

  #planKind(kind: JobKind, nowMs: number, canCompact: boolean, canReadLanded: boolean): Plan {
    switch (kind) {
      case 'fresh':
        return this.#planFresh(nowMs, canReadLanded);
      case 'long':
        return this.#planLong(nowMs);
      case 'compaction': {
        const job = canCompact ? this.#compaction.next(nowMs, { rows: ROWS_PER_CALL }) : null;
        return { job: job ?? null, isUnfinished: job === undefined };
      }
    }
  }

  /** Starts another survey once everything queued was committed later than what is not. */
  #mustSurvey(nowMs: number): boolean {
    const openMs = this.#oldestOpenMs();
    if (this.#unqueuedUntilMs === null || openMs <= this.#unqueuedUntilMs) {
      return false;
    }
    this.#unqueuedUntilMs = null;
    this.#survey = this.#newSurvey(Math.min(nowMs + 1, openMs));
    return true;
  }

  #newSurvey(beforeMs: number): Survey {
    return new Survey(this.#state, this.#policy, beforeMs, (topic) => this.#topicNumber(topic));
  }

  #endSurvey(survey: Survey): void {
    this.#survey = null;
    if (survey.missedUntilMs !== null) {
      this.#unqueuedUntilMs = Math.max(this.#unqueuedUntilMs ?? 0, survey.missedUntilMs);
    }
    for (const mergedAtMs of survey.mergedAtMs) {
      if (!this.#mergedAtMs.includes(mergedAtMs)) {
        insertSorted(this.#mergedAtMs, mergedAtMs);
      }
    }
  }

  #topicNumber(topic: IdKey): number {
    let number = this.#topicNumbers.get(topic);
    if (number === undefined) {
      number = this.#topicKeys.push(topic) - 1;
      this.#topicNumbers.set(topic, number);
    }
    return number;
  }

  #giveUpFresh({ files, failures }: FreshJob, nowMs: number): void {
    const again = failures + 1;
    const parts = again < FAILURES_BEFORE_CUT ? [files] : halves(files);
    for (const part of parts) {
      const isLanded = part.some((file) => file.isLanded);
      if (part.length > 1 || isLanded) {
        const waitMs = isLanded ? Math.min(pauseMs(again), LONGEST_PAUSE_OF_LANDED_MS) : pauseMs(again);
        this.#givenUp.push({ files: part, failures: again, notBeforeMs: nowMs + waitMs });
      }
    }
  }

  #planFresh(nowMs: number, canReadLanded: boolean): Plan {
    if (this.#assembly === null) {
      const fresh = this.#dueFresh(nowMs, canReadLanded);
      if (fresh === null) {
        return { job: null, isUnfinished: false };
      }
      this.#assembly = this.#newAssembly(fresh);
    } else if (!canReadLanded && hasLanded(this.#assembly.fresh)) {
      // The agent that it is assembled for goes on asking.
      return { job: null, isUnfinished: false };
    }
    const isCompacted: IsHeld = (partition, offset) => this.#compaction.has(partition, offset);
    if (!assemble(this.#assembly, this.#state.files, isCompacted, this.#policy)) {
      return { job: null, isUnfinished: true };
    }
    const { fresh, builder, alive } = this.#assembly;
    this.#assembly = null;
    const files = fresh.files.filter((_, number) => alive.has(number));
    const isLanded = files.some((file) => file.isLanded);
    if (builder.sourceFiles === 0 || (builder.sourceFiles < 2 && !isLanded)) {
      // A single file waits for others, behind those that came after it, unless it has to leave the landing buckets.
      for (const file of files) {
        this.#requeue(file);
      }
      return { job: null, isUnfinished: false };
    }
    const job = builder.build();
    this.#openFresh.set(job, { ...fresh, files });
    return { job, isUnfinished: false };
  }

  #dueFresh(nowMs: number, canReadLanded: boolean): FreshJob | null {
    const at = this.#givenUp.findIndex((job) => job.notBeforeMs <= nowMs && (canReadLanded || !hasLanded(job)));
    const [again] = at < 0 ? [] : this.#givenUp.splice(at, 1);
    if (again !== undefined) {
      return again;
    }
    if (!this.#isFreshDue(nowMs)) {
      return null;
    }
    const files = this.#takeFresh();
    if (canReadLanded) {
      return newFreshJob(files);
    }
    const landed = files.filter(({ isLanded }) => isLanded);
    if (landed.length > 0) {
      // For the next agent that can read them.
      this.#givenUp.push(newFreshJob(landed));
    }
    return landed.length === files.length ? null : newFreshJob(files.filter(({ isLanded }) => !isLanded));
  }

  #isFreshDue(nowMs: number): boolean {
    const { targetBytes, maxSourceFiles, maxSourceRuns, freshMs, landedMs } = this.#policy;
    // A file from the future was committed while a clock was ahead.
    const isOlder = (timeMs: number, ageMs: number): boolean => Math.abs(nowMs - timeMs) >= ageMs;
    const landedAtMs = this.#oldestLandedMs();
    if (landedAtMs !== Number.POSITIVE_INFINITY && isOlder(landedAtMs, landedMs)) {
      return true;
    }
    const bytes = this.#surveyed.bytes + this.#fresh.bytes;
    const rows = this.#surveyed.rows + this.#fresh.rows;
    const oldestMs = Math.min(this.#surveyed.oldestMs, this.#fresh.oldestMs);
    return (
      this.waitingFiles > 1 &&
      (isOlder(oldestMs, freshMs) ||
        bytes >= targetBytes ||
        rows >= maxSourceRuns ||
        this.waitingFiles >= maxSourceFiles)
    );
  }

  /** The oldest files, up to the limits of a job. */
  #takeFresh(): WaitingFile[] {
    const { targetBytes, maxSourceFiles, maxSourceRuns } = this.#policy;
    const taken: WaitingFile[] = [];
    let [bytes, rows] = [0, 0];
    while (taken.length < maxSourceFiles && this.waitingFiles > 0) {
      const queue = this.#surveyed.files > 0 ? this.#surveyed : this.#fresh;
      const isFull = bytes + queue.nextBytes > targetBytes || rows + queue.nextRows > maxSourceRuns;
      if (taken.length > 1 && isFull) {
        break;
      }
      bytes += queue.nextBytes;
      rows += queue.nextRows;
      taken.push(queue.shift());
    }
    return taken;
  }

  /** Starts assembling the job that merges these files, as far as their runs still exist. */
  #newAssembly(fresh: FreshJob): Assembly {
    const byPlace = new Map<number, Gathered | null>();
    for (const [number, file] of fresh.files.entries()) {
      for (const [run, place] of file.places.entries()) {
        let gathered = byPlace.get(place);
        if (gathered === undefined) {
          gathered = this.#partitionAt(place);
          byPlace.set(place, gathered);
        }
        gathered?.baseOffsets.push(doubleAt(file.baseOffsets, run));
        gathered?.files.push(number);
      }
    }
    const gathered = inOrder([...byPlace.values()].filter((each) => each !== null));
    return { fresh, gathered, done: 0, builder: new JobBuilder(this.#state, this.#policy, 1), alive: new Set() };
  }

  #partitionAt(place: number): Gathered | null {
    const topic = this.#state.topics.get(this.#topicKeys[topicOfPlace(place)] ?? '');
    return topic === undefined ? null : { topic, partition: partitionOfPlace(place), baseOffsets: [], files: [] };
  }

  /** Whether a file of level 0 is waiting or is in a job. Files that failed again and again do not count, unless they are due now. */
  #willMerge(slot: number, committedAtMs: number): boolean {
    if (this.#unqueuedUntilMs !== null || this.#assembly !== null || committedAtMs >= this.#oldestOpenMs()) {
      return true;
    }
    const fileId = this.#state.files.id(slot);
    for (const { sourceFileIds } of this.#openFresh.keys()) {
      if (sourceFileIds.some((source) => sameId(source, fileId))) {
        return true;
      }
    }
    return false;
  }

  #requeue({ committedAtMs, bytes, markers, isLanded, places, baseOffsets }: WaitingFile): void {
    this.#fresh.push(committedAtMs, bytes, places.length, markers, isLanded);
    for (const [run, place] of places.entries()) {
      this.#fresh.pushRun(place, doubleAt(baseOffsets, run));
    }
  }

  #planLong(nowMs: number): Plan {
    this.#sweep ??= this.#dueSweep(nowMs);
    const sweep = this.#sweep;
    if (sweep === null || nowMs < sweep.notBeforeMs) {
      return { job: null, isUnfinished: false };
    }
    if (!sweep.isOver) {
      const budget: Budget = { rows: ROWS_PER_CALL };
      const job = sweep.longRuns.next(budget);
      if (job === undefined) {
        return { job: null, isUnfinished: true };
      }
      if (job !== null) {
        sweep.openJobs += 1;
        this.#openLong.enter(job);
        return { job, isUnfinished: false };
      }
      sweep.isOver = true;
    }
    if (sweep.openJobs === 0) {
      this.#endSweep(sweep, nowMs);
    }
    return { job: null, isUnfinished: false };
  }

  /** A window is complete when no older file of level 0 is left to merge. */
  #dueSweep(nowMs: number): Sweep | null {
    const { windowMs, maxWindowFiles } = this.#policy;
    const openMs = this.#oldestOpenMs();
    const hourMs = Math.floor(Math.min(nowMs, openMs) / windowMs) * windowMs;
    const complete = this.#mergedAtMs.filter((mergedAtMs) => mergedAtMs < openMs);
    const ofWholeHours = complete.filter((mergedAtMs) => mergedAtMs < hourMs).length;
    const count = Math.min(maxWindowFiles, complete.length >= maxWindowFiles ? maxWindowFiles : ofWholeHours);
    const [fromMs] = complete;
    const lastMs = complete[count - 1];
    return count < 2 || fromMs === undefined || lastMs === undefined ? null : this.#newSweep(fromMs, lastMs + 1);
  }

  #newSweep(fromMs: number, untilMs: number, failures = 0, notBeforeMs = 0): Sweep {
    const isHeld = (partition: Partition): boolean => this.#compaction.has(partition);
    const longRuns = new LongRuns(this.#state, this.#policy, fromMs, untilMs, isHeld);
    return { longRuns, fromMs, isOver: false, openJobs: 0, hasFailed: false, failures, notBeforeMs };
  }

  #endSweep({ longRuns, fromMs, hasFailed, failures }: Sweep, nowMs: number): void {
    const { untilMs } = longRuns;
    if (hasFailed && failures < MAX_SWEEPS) {
      this.#sweep = this.#newSweep(fromMs, untilMs, failures + 1, nowMs + pauseMs(failures + 1));
      return;
    }
    this.#mergedAtMs = this.#mergedAtMs.filter((mergedAtMs) => mergedAtMs >= untilMs);
    this.#sweep = null;
  }

  /** The commit time of the oldest file that waits in landing buckets; infinite when there is none. */
  #oldestLandedMs(): number {
    return Math.min(this.#surveyed.oldestLandedMs, this.#fresh.oldestLandedMs);
  }

  /** The commit time of the oldest file of level 0 still to be merged. Files that fail again and again do not count. */
  #oldestOpenMs(): number {
    // A single file may wait for long, except in landing buckets.
    const isWaiting = this.waitingFiles > 1 || this.#oldestLandedMs() !== Number.POSITIVE_INFINITY;
    let oldestMs = isWaiting ? Math.min(this.#surveyed.oldestMs, this.#fresh.oldestMs) : Number.POSITIVE_INFINITY;
    const assembled = this.#assembly === null ? [] : [this.#assembly.fresh];
    for (const { files, failures } of [...this.#givenUp, ...this.#openFresh.values(), ...assembled]) {
      if (failures <= FAILURES_BEFORE_CUT) {
        oldestMs = Math.min(oldestMs, files[0]?.committedAtMs ?? Number.POSITIVE_INFINITY);
      }
    }
    return oldestMs;
  }
}

function newFreshJob(files: WaitingFile[]): FreshJob {
  return { files, failures: 0, notBeforeMs: 0 };
}

function hasLanded({ files }: FreshJob): boolean {
  return files.some(({ isLanded }) => isLanded);
}

function halves<T>(list: readonly T[]): T[][] {
  const middle = list.length >>> 1;
  return [list.slice(0, middle), list.slice(middle)];
}

function insertSorted(sorted: number[], value: number): void {
  let at = sorted.length;
  while (at > 0 && numberAt(sorted, at - 1) > value) {
    at -= 1;
  }
  sorted.splice(at, 0, value);
}

/** Adds partitions to a job until about `maxAssembledRuns` rows were looked up. Returns whether the job is complete. */
function assemble(
  assembly: Assembly,
  files: FileTable,
  isHeld: IsHeld,
  { maxAssembledRuns, maxSourceRuns }: MergePolicy,
): boolean {
  const { gathered, builder, alive } = assembly;
  for (let rows = 0; rows < maxAssembledRuns && assembly.done < gathered.length; assembly.done += 1) {
    const part = gathered[assembly.done];
    if (part !== undefined) {
      const fresh = freshRows(part, files, isHeld, alive, maxSourceRuns - builder.sourceRuns);
      builder.add(part.topic, part.partition, fresh);
      rows += Math.max(part.baseOffsets.length, fresh.length);
    }
  }
  return assembly.done === gathered.length;
}

/**
 * The rows of these runs that still exist and are of level 0, in order, with the markers around them.
 * @param alive receives the numbers of their files
 * @param most rows; markers that are too many stay in the index until level 2
 */
function freshRows(
  { topic, partition: number, ...gathered }: Gathered,
  files: FileTable,
  isHeld: IsHeld,
  alive: Set<number>,
  most: number,
): number[] {
  const partition = topic.partitions[number];
  const runs = partition?.runs;
  const rows: number[] = [];
  if (partition === undefined || runs === undefined || runs === null || runs.length === 0) {
    return rows;
  }
  let isRising = true;
  for (const [at, baseOffset] of gathered.baseOffsets.entries()) {
    // Files are in commit order, so it is usually the row after the last one.
    const last = rows.at(-1) ?? -1;
    const isNext = last >= 0 && last + 1 < runs.length && runs.baseOffset(last + 1) === baseOffset;
    const row = isNext ? last + 1 : runs.rowOfOffset(baseOffset);
    const isRun = row >= 0 && runs.baseOffset(row) === baseOffset && !runs.isMarker(row);
    const isFresh = isRun && files.level(runs.file(row)) === 0;
    if (isFresh && !isHeld(partition, baseOffset)) {
      isRising &&= row > last;
      rows.push(row);
      alive.add(numberAt(gathered.files, at));
    }
  }
  // After an opening, the survey may find files that are queued already.
  const ascending = isRising ? rows : [...new Set(rows)].sort((a, b) => a - b);
  return rowsWithMarkers(partition, runs, ascending, most);
}

/** Files are laid out topic by topic in the order of creation, as a sweep walks, so that a job of level 2 reads adjacent runs. */
function inOrder(gathered: Gathered[]): Gathered[] {
  const topics = [...new Set(gathered.map(({ topic }) => topic))].sort(
    (a, b) => a.createdAtMs - b.createdAtMs || (a.name < b.name ? -1 : 1),
  );
  const rank = new Map(topics.map((topic, at) => [topic, at]));
  return gathered.sort(
    (a, b) =>
      present(rank.get(a.topic), 'rank of a topic') - present(rank.get(b.topic), 'rank of a topic') ||
      a.partition - b.partition,
  );
}
