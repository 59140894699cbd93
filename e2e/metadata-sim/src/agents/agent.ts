// Generates the calls of one agent, as far as the service can tell it from a real one; real ones run in e2e/agent-sim. It registers,
// keeps a watch stream, writes files for producers, reads them for consumers, merges them, and deletes files that are no longer needed.
import type { SecurityState } from '@penstock/metadata-protocol';
import type { Bounds, FoundRun } from '../auditor/log-auditor.ts';
import type { Machine } from '../kernel/machine.ts';
import type { Random } from '../kernel/random.ts';
import type { Trace } from '../kernel/trace.ts';
import type { WatchEvent } from '../metadata/metadata-process.ts';
import type { Network } from '../metadata/network.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { JobRunner, type JobRunnerOptions } from './job-runner.ts';
import { CallFailed, MetadataClient } from './metadata-client.ts';
import { foundRun, PartitionTail } from './partition-tail.ts';
import { type BatchOutcome, type FileContent, type ProducedBatch, WritePath } from './write-path.ts';

const HEARTBEAT_INTERVAL_MS = 3_000;
const DELETIONS_PERIOD_MS = 10_000;
const FILES_PER_TURN = 500;
/** The service refuses to commit a file older than ten minutes, so an unknown file of this age can never become known. */
const ORPHAN_AGE_MS = 3_600_000;
const FILES_PER_QUESTION = 2_000;
const FIRST_WATCH_PAUSE_MS = 50;
const LONGEST_WATCH_PAUSE_MS = 2_000;
const MAX_FETCH_BYTES = 4_000;

export interface SimTopic {
  id: Uint8Array;
  name: string;
  partitions: number;
}

export interface FetchedRun {
  run: FoundRun;
  /** Undefined: the object does not exist. */
  content: FileContent | undefined;
  /** Whether the owner located the run. Otherwise it came from the tail. */
  isLocated: boolean;
}

export type Fetched =
  | { kind: 'runs'; bounds: Bounds | undefined; runs: FetchedRun[] }
  | { kind: 'refused'; errorCode: number; bounds: Bounds }
  | { kind: 'failed' };

export interface AgentOptions extends Pick<JobRunnerOptions, 'onMerged' | 'onAnswered'> {
  agentId: string;
  machine: Machine;
  network: Network;
  objects: ObjectStore<FileContent>;
  random: Random;
  trace: Trace;
  onSealed: (name: string, content: FileContent) => void;
  /** The watch stream sent users and ACLs. */
  onSecurity: (state: SecurityState) => void;
}

export class Agent {
  readonly agentId: string;
  readonly machine: Machine;
  readonly client: MetadataClient;
  readonly #options: AgentOptions;
  readonly #writePath: WritePath;
  readonly #tails = new Map<string, { topicId: Uint8Array; partition: number; tail: PartitionTail }>();
  #watchId = '';
  #undeclared = new Set<string>();
  #securityVersion = 0;

  constructor(options: AgentOptions) {
    const { agentId, machine, network, objects, random, onSealed, onMerged, onAnswered } = options;
    this.agentId = agentId;
    this.machine = machine;
    this.#options = options;
    this.client = new MetadataClient(machine, network, random);
    this.#writePath = new WritePath({ machine, client: this.client, objects, random, onSealed });
    new JobRunner({ agentId, machine, client: this.client, objects, random, onMerged, onAnswered });
    void this.#live();
    void this.#follow();
    void this.#deleteFiles();
  }

  /** The version of the users and ACLs that it was sent last. */
  get securityVersion(): number {
    return this.#securityVersion;
  }

  get isDead(): boolean {
    return this.machine.isDead;
  }

  produce(batch: ProducedBatch): Promise<BatchOutcome> {
    return this.#writePath.admit(batch);
  }

  /** Reads a partition from an offset on, through the tail if it knows that offset. */
  async fetch(topic: SimTopic, partition: number, offset: number): Promise<Fetched> {
    const tail = this.#tail(topic.id, partition);
    const known = tail.runsFrom(offset);
    const bounds = tail.currentBounds;
    if (known.length > 0) {
      const runs = await this.#read(known, false);
      if (runs[0] === undefined || runs[0].content !== undefined) {
        return { kind: 'runs', bounds: undefined, runs };
      }
      // The file is gone: its records were merged into another one, or truncated.
      tail.forgetRuns();
      return await this.locate(topic, partition, offset);
    }
    if (bounds !== undefined && offset === bounds.highWatermark) {
      return { kind: 'runs', bounds: undefined, runs: [] };
    }
    return await this.locate(topic, partition, offset);
  }

  /** Reads a partition from an offset on by asking the owner. */
  async locate(topic: SimTopic, partition: number, offset: number): Promise<Fetched> {
    const cursors = [{ topicId: topic.id, partition, offset: BigInt(offset), maxBytes: MAX_FETCH_BYTES }];
    try {
      const { located } = await this.client.call('locate', { cursors });
      const [found] = located;
      if (found === undefined) {
        return { kind: 'failed' };
      }
      const bounds = { logStartOffset: Number(found.logStartOffset), highWatermark: Number(found.highWatermark) };
      if (found.errorCode !== 0) {
        return { kind: 'refused', errorCode: found.errorCode, bounds };
      }
      return { kind: 'runs', bounds, runs: await this.#read(found.runs.map(foundRun), true) };
    } catch (error) {
      return failedAs(error, { kind: 'failed' });
    }
  }

  /** Deletes files that were written and never committed. */
  async collectOrphans(): Promise<void> {
    const { objects, trace } = this.#options;
    const limitMs = this.machine.nowMs() - ORPHAN_AGE_MS;
    try {
      const old = (await objects.list(this.machine))
        .filter(({ name, modifiedMs }) => modifiedMs < limitMs && idTimeMs(name) < limitMs)
        .map(({ name }) => name);
      for (let at = 0; at < old.length; at += FILES_PER_QUESTION) {
        const asked = old.slice(at, at + FILES_PER_QUESTION);
        const { known } = await this.client.call('knownFiles', { fileIds: asked.map(idOf) });
        const orphans = asked.filter((_, index) => known[index] === false);
        trace.add(`${this.agentId} collects ${orphans.length} of ${asked.length} old files`);
        await this.#delete(orphans);
      }
    } catch (error) {
      failedAs(error, undefined);
    }
  }

  async #read(runs: readonly FoundRun[], isLocated: boolean): Promise<FetchedRun[]> {
    const { objects } = this.#options;
    const read: FetchedRun[] = [];
    for (const run of runs.slice(0, 4)) {
      try {
        const object = await objects.get(this.machine, run.file);
        const content = object?.filter(
          ({ position }) => position >= run.position && position < run.position + run.bytes,
        );
        read.push({ run, content, isLocated });
      } catch {
        break;
      }
    }
    return read;
  }

  async #live(): Promise<void> {
    await this.#register();
    for (;;) {
      await this.machine.sleep(HEARTBEAT_INTERVAL_MS);
      try {
        const { unknownAgent } = await this.client.call('agentHeartbeat', { agentId: this.agentId });
        if (unknownAgent) {
          await this.#register();
        }
      } catch (error) {
        failedAs(error, undefined);
      }
    }
  }

  async #register(): Promise<void> {
    const request = {
      agentId: this.agentId,
      zone: 'a',
      version: '1',
      advertisedHost: this.agentId,
      advertisedPort: 9_092,
      bucket: 's3://simulated',
    };
    try {
      await this.client.call('registerAgent', request);
    } catch (error) {
      failedAs(error, undefined);
    }
  }

  /** Keeps one watch stream open. */
  async #follow(): Promise<void> {
    let pauseMs = FIRST_WATCH_PAUSE_MS;
    for (;;) {
      const startedMs = this.machine.monotonicMs();
      await new Promise<void>((resolve) => {
        const hangUp = this.client.watch(this.agentId, {
          onEvent: (event) => void this.#heed(event).catch(() => hangUpNow()),
          onEnd: () => resolve(),
        });
        const hangUpNow = (): void => {
          hangUp();
          resolve();
        };
      });
      this.#watchId = '';
      for (const { tail } of this.#tails.values()) {
        tail.loseTrack();
      }
      if (this.machine.monotonicMs() - startedMs > LONGEST_WATCH_PAUSE_MS) {
        pauseMs = FIRST_WATCH_PAUSE_MS;
      }
      await this.machine.sleep(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_WATCH_PAUSE_MS);
    }
  }

  async #heed(event: WatchEvent): Promise<void> {
    if (event.watchId !== '') {
      this.#watchId = event.watchId;
      this.#undeclared = new Set(this.#tails.keys());
    }
    if (event.security !== undefined) {
      this.#securityVersion = Number(event.security.version);
      this.#options.onSecurity(event.security);
    }
    for (const news of event.partitions) {
      const bounds = { logStartOffset: Number(news.logStartOffset), highWatermark: Number(news.highWatermark) };
      this.#tails.get(keyOf(news.topicId, news.partition))?.tail.update(bounds, news.runs.map(foundRun));
    }
    await this.#declare();
  }

  /** @throws CallFailed: the stream must be reopened. */
  async #declare(): Promise<void> {
    const watchId = this.#watchId;
    const declared = [...this.#undeclared].flatMap((key) => this.#tails.get(key) ?? []);
    if (watchId === '' || declared.length === 0) {
      return;
    }
    this.#undeclared.clear();
    const add = declared.map(({ topicId, partition }) => ({ topicId, partition }));
    const { unknownWatch, states } = await this.client.call('updateInterest', { watchId, add });
    if (watchId !== this.#watchId) {
      return;
    }
    if (unknownWatch) {
      throw new Error('the service no longer knows this watch stream');
    }
    for (const [at, state] of states.entries()) {
      if (state.errorCode === 0) {
        const bounds = { logStartOffset: Number(state.logStartOffset), highWatermark: Number(state.highWatermark) };
        declared[at]?.tail.startTracking(bounds);
      }
    }
  }

  #tail(topicId: Uint8Array, partition: number): PartitionTail {
    const key = keyOf(topicId, partition);
    const known = this.#tails.get(key);
    if (known !== undefined) {
      return known.tail;
    }
    const tail = new PartitionTail();
    this.#tails.set(key, { topicId, partition, tail });
    this.#undeclared.add(key);
    // A declaration that fails is repeated with the next event.
    this.#declare().catch(() => this.#undeclared.add(key));
    return tail;
  }

  /** Asks for dead files, deletes their objects and confirms it. */
  async #deleteFiles(): Promise<void> {
    for (;;) {
      let deleted = 0;
      try {
        const { fileIds } = await this.client.call('takeDeletions', {
          agentId: this.agentId,
          maxFiles: FILES_PER_TURN,
        });
        const gone = await this.#delete(fileIds.map((fileId) => Buffer.from(fileId).toString('hex')));
        if (gone.length > 0) {
          await this.client.call('confirmDeletions', { fileIds: gone.map(idOf) });
        }
        deleted = gone.length;
      } catch (error) {
        failedAs(error, undefined);
      }
      if (deleted === 0) {
        await this.machine.sleep(DELETIONS_PERIOD_MS);
      }
    }
  }

  /** Deletes objects, and returns those that are gone now. */
  async #delete(names: readonly string[]): Promise<string[]> {
    const gone: string[] = [];
    for (const name of names) {
      try {
        await this.#options.objects.delete(this.machine, name);
        gone.push(name);
      } catch {
        // It is handed out again once its lease has expired.
      }
    }
    return gone;
  }
}

function keyOf(topicId: Uint8Array, partition: number): string {
  return `${Buffer.from(topicId).toString('hex')}:${partition}`;
}

function idOf(name: string): Uint8Array {
  return Buffer.from(name, 'hex');
}

/** The timestamp of a UUIDv7, in milliseconds since the Unix epoch. */
function idTimeMs(name: string): number {
  return Number.parseInt(name.slice(0, 12), 16);
}

/** Returns `answer` when a call failed, and rethrows anything else, which is a defect of the simulation. */
function failedAs<T>(error: unknown, answer: T): T {
  if (error instanceof CallFailed) {
    return answer;
  }
  if (error instanceof Error && error.name === 'ObjectStoreFailed') {
    return answer;
  }
  throw error;
}
