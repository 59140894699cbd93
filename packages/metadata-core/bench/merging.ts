// Measures how long planning and swapping block the event loop: `node packages/metadata-core/bench/merging.ts`. A cluster of 4,608
// partitions gets two seconds of 1 GiB/s (4:1) per job of level 1, then a window of level 2, then a new owner's survey. At last all of it
// is compacted.
import {
  apply,
  type CommitFile,
  createState,
  type MergeJob,
  MergePlanner,
  type Plan,
  replacementOf,
} from '../src/index.ts';

const PARTITIONS = 4_608;
const AGENTS = 18;
const RUNS_PER_FILE = PARTITIONS / AGENTS;
const FILES_PER_JOB = 144;
const WINDOW_FILES = 512;
const RUN_BYTES = 14_563;
const START_MS = 1_790_000_000_000;
const topicId = new Uint8Array(16).fill(7);
const state = createState('bench');
let nowMs = START_MS;
let files = 0;

function fileId(): Uint8Array {
  const id = new Uint8Array(16);
  for (let at = 5, rest = nowMs; at >= 0; at -= 1) {
    id[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  id[6] = 0x70;
  id[8] = 0x80;
  files += 1;
  new DataView(id.buffer).setUint32(12, files);
  return id;
}

function commit(agent: number): CommitFile {
  const column = Uint32Array.from({ length: RUNS_PER_FILE }, (_, run) => run);
  return {
    kind: 'commit-file',
    fileId: fileId(),
    fileBytes: RUN_BYTES * RUNS_PER_FILE,
    topicIds: [topicId],
    runTopic: new Uint32Array(RUNS_PER_FILE),
    runPartition: column.map((run) => run * AGENTS + agent),
    runPosition: Float64Array.from(column, (run) => run * RUN_BYTES),
    runBatches: new Uint32Array(RUNS_PER_FILE).fill(1),
    batchBytes: new Uint32Array(RUNS_PER_FILE).fill(RUN_BYTES),
    batchRecords: new Uint32Array(RUNS_PER_FILE).fill(57),
    batchMaxTimestampMs: new Float64Array(RUNS_PER_FILE).fill(nowMs),
    batchUncompressedBytes: new Float64Array(RUNS_PER_FILE).fill(58_000),
    producers: null,
  };
}

/** Longest and mean duration of some steps, in milliseconds. */
class Steps {
  #longestMs = 0;
  #totalMs = 0;
  #count = 0;

  time<Result>(step: () => Result): Result {
    const startedMs = performance.now();
    const result = step();
    this.note(performance.now() - startedMs);
    return result;
  }

  note(tookMs: number): void {
    this.#longestMs = Math.max(this.#longestMs, tookMs);
    this.#totalMs += tookMs;
    this.#count += 1;
  }

  print(what: string): void {
    const mean = this.#totalMs / Math.max(1, this.#count);
    process.stdout.write(
      `${what.padEnd(28)}${String(this.#count).padStart(6)} steps, mean ${mean.toFixed(2)} ms, longest ${this.#longestMs.toFixed(2)} ms\n`,
    );
  }
}

type Kind = 1 | 2 | 'compact';

/** 0: calls after which the plan was unfinished. */
const plans = { 0: new Steps(), 1: new Steps(), 2: new Steps(), compact: new Steps() };
const swaps = { 1: new Steps(), 2: new Steps(), compact: new Steps() };
const survey = new Steps();
let planner = new MergePlanner(state, nowMs);

function kindOf({ level, compaction }: MergeJob): Kind {
  return compaction === null ? level : 'compact';
}

function finish(job: MergeJob): void {
  const command = replacementOf(job, fileId(), job.bytes + 60_000);
  const { answer, effects } = swaps[kindOf(job)].time(() => apply(state, command, nowMs));
  if (answer.outcome !== 'applied') {
    throw new Error(answer.reason);
  }
  planner.observe(effects);
  planner.complete(job);
}

/** Plans and completes every job that is due. */
function work(canCompact = false): void {
  for (;;) {
    const startedMs = performance.now();
    const plan: Plan = planner.plan(nowMs, canCompact);
    const tookMs = performance.now() - startedMs;
    if (plan.job === null && !plan.isUnfinished) {
      return;
    }
    plans[plan.job === null ? 0 : kindOf(plan.job)].note(tookMs);
    if (plan.job !== null) {
      finish(plan.job);
    }
  }
}

const configs = [{ name: 'retention.ms', value: '-1' }];
apply(
  state,
  { kind: 'create-topics', topics: [{ name: 't', topicId, partitions: PARTITIONS, configs }], validateOnly: false },
  nowMs,
);
planner = new MergePlanner(state, nowMs);
// One more: a window closes once something newer is merged.
for (let job = 0; job <= WINDOW_FILES; job += 1) {
  for (let file = 0; file < FILES_PER_JOB; file += 1) {
    nowMs += 14;
    planner.observe(apply(state, commit(file % AGENTS), nowMs).effects);
  }
  apply(state, { kind: 'expire-retention' }, nowMs);
  work();
}
for (let file = 0; file < FILES_PER_JOB; file += 1) {
  nowMs += 14;
  planner.observe(apply(state, commit(file % AGENTS), nowMs).effects);
}
planner = new MergePlanner(state, nowMs + 1);
while (survey.time(() => planner.plan(nowMs)).isUnfinished) {
  // The next slice.
}
// Turns everything into a compacted topic. A quarter of an hour later the rest of level 0 can be cleaned too.
const ops = [{ kind: 'set' as const, name: 'cleanup.policy', value: 'compact' }];
apply(state, { kind: 'alter-configs', topics: [{ name: 't', ops }], validateOnly: false }, nowMs);
nowMs += 15 * 60_000;
work(true);
plans[0].print('a part of a plan');
plans[1].print('plan a job of level 1');
swaps[1].print('swap a job of level 1');
plans[2].print('plan a job of level 2');
swaps[2].print('swap a job of level 2');
plans.compact.print('plan a job of compaction');
swaps.compact.print('swap a job of compaction');
survey.print("a new owner's survey");
