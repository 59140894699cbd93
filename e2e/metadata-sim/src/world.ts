// The parts of a run: time, randomness, PostgreSQL, object storage, metadata processes, agents, and the auditor, which
// observes everything.
import { createLogger, type Logger } from '@penstock/platform';
import { Agent, type SimTopic } from './agents/agent.ts';
import type { FileContent } from './agents/write-path.ts';
import { AuditFailure } from './auditor/audit-failure.ts';
import { Auditor } from './auditor/auditor.ts';
import { accessFacts } from './clients/access-facts.ts';
import { Machine } from './kernel/machine.ts';
import { Random } from './kernel/random.ts';
import { Scheduler } from './kernel/scheduler.ts';
import type { Trace } from './kernel/trace.ts';
import { Weather } from './kernel/weather.ts';
import type { LostTailWatch } from './lost-tail.types.ts';
import { MetadataProcess } from './metadata/metadata-process.ts';
import { Network } from './metadata/network.ts';
import { Database } from './store/database.ts';
import { Meter } from './store/meter.ts';
import { ObjectStore } from './store/object-store.ts';

export const CLUSTER = { clusterId: '5eed0000-0000-4000-8000-000000000000', organizationId: 'simulated' };
const PROCESSES = 2;
const AGENTS = 3;
/** Ordinary clocks: off by some milliseconds and some hundred parts per million. */
const MAX_RATE_ERROR = 0.0005;
const PAUSE_MOST_MS = 9_000;

const silent: Logger = createLogger({ name: 'simulation', level: 'silent' });

/** Records the service's log lines as trace events. For people to read, so they are not part of the hash. */
function loggerOf(trace: Trace): Logger {
  if (!trace.isWatched) {
    return silent;
  }
  const destination = { write: (line: string) => trace.remark(line.trimEnd()) };
  return createLogger({ name: 'service', level: 'debug', destination });
}

export class World {
  readonly random: Random;
  readonly scheduler = new Scheduler();
  readonly trace: Trace;
  readonly auditor = new Auditor();
  readonly weather: Weather;
  readonly database: Database;
  readonly meter: Meter;
  readonly objects: ObjectStore<FileContent>;
  readonly network: Network;
  readonly processes: MetadataProcess[] = [];
  readonly agents: Agent[] = [];
  readonly topics: SimTopic[] = [];
  /** Set once durable entries are lost: from then on its promises apply. */
  lostTail: LostTailWatch | undefined;
  #takeoverUntilMs = 0;
  #failure: Error | undefined;
  #agentsMade = 0;
  #swaps = 0;
  #compactions = 0;

  constructor(seed: number, trace: Trace) {
    this.random = new Random(seed);
    this.trace = trace;
    this.weather = new Weather(this.random);
    this.meter = new Meter();
    this.database = new Database({
      scheduler: this.scheduler,
      weather: this.weather,
      onAppended: (seq, bytes, follows) => {
        this.meter.fold(seq, bytes);
        this.trace.add(`entry ${seq}, ${bytes.length} bytes`);
        if (!follows) {
          this.fail(new AuditFailure(`entry ${seq} was appended behind another one than it names`));
        }
        this.lostTail?.appended(seq, bytes).catch((error: unknown) => this.fail(error));
      },
    });
    this.database.directory.add(CLUSTER.clusterId, {
      organizationId: CLUSTER.organizationId,
      autoCreateTopics: false,
      defaultPartitions: 1,
      isPaying: true,
    });
    this.objects = new ObjectStore({
      scheduler: this.scheduler,
      weather: this.weather,
      onDeleted: (name) => {
        this.trace.add(`object ${name} deleted`);
        this.guard(() => this.auditor.logs.deleted(name));
        if (this.lostTail?.hasNamed(name) === true) {
          this.fail(new AuditFailure(`${name} was deleted, and an entry that was lost names it`));
        }
      },
    });
    this.network = new Network(this.scheduler, this.weather);
    for (let at = 0; at < PROCESSES; at += 1) {
      this.startProcess(at);
    }
    for (let at = 0; at < AGENTS; at += 1) {
      this.startAgent(at);
    }
  }

  /** The first broken promise, or the first event that must not happen. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Number of merged files that replaced others, as reported to agents. */
  get swaps(): number {
    return this.#swaps;
  }

  /** Those of them that omitted batches. */
  get compactions(): number {
    return this.#compactions;
  }

  /** Whether two processes may serve the cluster now, if the service is wrong. Readers ask more often then. */
  get isTakeoverExpected(): boolean {
    return this.scheduler.nowMs < this.#takeoverUntilMs;
  }

  expectTakeover(withinMs: number): void {
    this.#takeoverUntilMs = this.scheduler.nowMs + withinMs;
  }

  fail(error: unknown): void {
    if (this.#failure === undefined) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      this.trace.add(`failed: ${this.#failure.message}`);
    }
  }

  /** Runs a check; an exception ends the run. Promises of a history whose end is lost cannot be kept. */
  guard(check: () => void): void {
    if (this.lostTail !== undefined) {
      return;
    }
    try {
      check();
    } catch (error) {
      this.fail(error);
    }
  }

  startProcess(at: number): MetadataProcess {
    const url = `http://metadata${at}/`;
    const machine = new Machine(url, this.scheduler, this.#clock(), () => this.#pauseMs());
    const process = new MetadataProcess({
      clusterId: CLUSTER.clusterId,
      url,
      machine,
      database: this.database,
      random: this.random,
      logger: loggerOf(this.trace).child({ url }),
      onDefect: (error, call) => {
        this.fail(new AuditFailure(`${call} ended with an internal error: ${describe(error)}`));
      },
    });
    this.processes[at] = process;
    this.network.listen(process);
    return process;
  }

  killProcess(at: number): void {
    const process = this.processes[at];
    if (process !== undefined && !process.machine.isDead) {
      this.trace.add(`${process.url} is killed`);
      process.machine.kill();
      this.network.reset(process);
    }
  }

  startAgent(at: number): Agent {
    const agentId = `agent${this.#agentsMade}`;
    this.#agentsMade += 1;
    const agent = new Agent({
      agentId,
      machine: new Machine(agentId, this.scheduler, this.#clock(), () => this.#pauseMs()),
      network: this.network,
      objects: this.objects,
      random: this.random,
      trace: this.trace,
      onSealed: (name, content) => {
        this.trace.add(`${agentId} writes ${name} with ${content.length} batches`);
        this.auditor.logs.attempted(name, content);
      },
      onSecurity: (state) => this.guard(() => this.auditor.access.told(accessFacts(state))),
      onMerged: (name, content, { level, isCompacted, sources }) => {
        const what = isCompacted ? 'compacted' : 'merged';
        this.trace.add(`${agentId} has ${what} ${sources} files into ${name} of level ${level}`);
        this.auditor.logs.attempted(name, content);
      },
      onAnswered: (name, isApplied, isCompacted) => {
        this.trace.add(`${name} is ${isApplied ? 'swapped in' : 'of no use'}`);
        this.#swaps += isApplied ? 1 : 0;
        this.#compactions += isApplied && isCompacted ? 1 : 0;
      },
    });
    this.agents[at] = agent;
    return agent;
  }

  anyAgent(): Agent {
    const agent = this.random.pick(this.agents);
    if (agent === undefined) {
      throw new Error('a world has agents');
    }
    return agent;
  }

  #clock(): { rate: number; offsetMs: number } {
    const error = (this.random.below(2_001) - 1_000) / 1_000;
    return { rate: 1 + error * MAX_RATE_ERROR, offsetMs: this.random.below(101) - 50 };
  }

  #pauseMs(): number {
    return this.weather.strikes('processPaused') ? this.weather.delay(1, PAUSE_MOST_MS) : 0;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
