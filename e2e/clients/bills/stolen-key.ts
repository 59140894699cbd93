// A program with a stolen agent key: it writes any objects to the cluster's bucket, and makes any calls about them.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { base64, uuidV7 } from '../strangers/attacker/context.ts';
import { RpcCaller } from '../strangers/attacker/rpc-caller.ts';
import type { ClusterAccess } from '../support/accounts.ts';
import type { TestSystem } from '../support/system.ts';

/** The claims of a commit about a batch. */
export interface Claim {
  storedBytes: number;
  uncompressedBytes: number;
  records: number;
  /** The idempotent producer of the batch, with epoch 0. */
  producer?: { id: string; sequence: number };
}

/** A job as TakeJob hands it out, in JSON. */
export interface Job {
  jobId: string;
  level: number;
  sourceFileIds: string[];
  topicIds: string[];
  runSource: number[];
  runPosition: string[];
  runBytes: string[];
  targetTopic: number[];
  targetPartition: number[];
  targetBaseOffset: string[];
  targetEndOffset: string[];
  targetRuns: number[];
  plan: string;
}

interface CommitAnswer {
  batchErrorCode?: number[];
  errorMessage?: string;
}

const AGENT_ID = '5eed5eed-5eed-4eed-8eed-5eed5eed5eed';

export class StolenKey {
  readonly clusterId: string;
  /** All clusters of a test system share its bucket. */
  readonly #bucketFolder: string;
  readonly #rpc: RpcCaller;
  /** The objects that it wrote, by file id. */
  readonly #objects = new Map<string, Buffer>();

  private constructor(system: TestSystem, access: ClusterAccess) {
    this.clusterId = access.clusterId;
    this.#bucketFolder = join(system.home, 'objects');
    this.#rpc = new RpcCaller(system.metadata[0]?.url ?? '', access);
  }

  static async use(system: TestSystem, access: ClusterAccess): Promise<StolenKey> {
    const key = new StolenKey(system, access);
    await key.#register();
    return key;
  }

  /** As often as it likes: an agent that is not heard of for a while gets no jobs. */
  async #register(): Promise<void> {
    const bucket = `file://${this.#bucketFolder}`;
    await this.call('RegisterAgent', { agentId: AGENT_ID, version: '0.1.0', bucket });
  }

  /** @throws Error with the service's words when the call is refused */
  async call<T>(method: string, body: object): Promise<T> {
    const answer = await this.#rpc.call(method, body);
    const text = answer.body.toString();
    if (answer.status !== 200) {
      throw new Error(text === '' ? `HTTP ${answer.status}` : (JSON.parse(text) as { message: string }).message);
    }
    return JSON.parse(text) as T;
  }

  /** A topic of one partition. Returns its id. */
  async createTopic(name: string): Promise<string> {
    const { results } = await this.call<{ results: { topicId: string }[] }>('CreateTopics', {
      topics: [{ name, partitions: 1, configs: [] }],
    });
    return results[0]?.topicId ?? '';
  }

  newFileId(): string {
    return base64(uuidV7(Date.now()));
  }

  /** Writes an object, or replaces it, under the name that agents give to this file. */
  async store(fileId: string, content: Buffer): Promise<void> {
    const hex = Buffer.from(fileId, 'base64').toString('hex');
    const name = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const path = join(this.#bucketFolder, 'clusters', this.clusterId, 'data', hex.slice(-2), `${name}.batches`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    this.#objects.set(fileId, content);
  }

  /** Commits a file of one partition. Returns what was refused: nothing, the file, or each batch. */
  async commit(
    topicId: string,
    fileId: string,
    claims: readonly Claim[],
    fileBytes = claims.reduce((sum, { storedBytes }) => sum + storedBytes, 0),
  ): Promise<string[]> {
    const now = String(Date.now());
    const ofProducers = claims.some(({ producer }) => producer !== undefined) && {
      batchProducerId: claims.map(({ producer }) => producer?.id ?? '-1'),
      batchProducerEpoch: claims.map(() => 0),
      batchBaseSequence: claims.map(({ producer }) => producer?.sequence ?? -1),
    };
    try {
      const { errorMessage = '', batchErrorCode = [] } = await this.call<CommitAnswer>('CommitFile', {
        ...{ agentId: AGENT_ID, fileId, fileBytes: String(fileBytes), topicIds: [topicId], runTopic: [0] },
        ...{ runPartition: [0], runPosition: ['0'], runBatches: [claims.length] },
        batchBytes: claims.map(({ storedBytes }) => storedBytes),
        batchRecords: claims.map(({ records }) => records),
        batchMaxTimestampMs: claims.map(() => now),
        batchUncompressedBytes: claims.map(({ uncompressedBytes }) => String(uncompressedBytes)),
        ...ofProducers,
      });
      const codes = batchErrorCode.filter((code) => code !== 0).map((code) => `error ${code}`);
      return errorMessage === '' ? codes : [errorMessage];
    } catch (error) {
      return [(error as Error).message];
    }
  }

  /** The next merge, when there is one. */
  async takeJob(): Promise<Job | undefined> {
    await this.#register();
    const { job } = await this.call<{ job?: Job }>('TakeJob', { agentId: AGENT_ID, wantsJob: true });
    return job;
  }

  /** Does the job as an agent does it: the batches of its source runs, one after the other, in a new object. */
  async merge(job: Job): Promise<object> {
    const runs = job.runSource.map((source, run) => {
      const from = Number(job.runPosition[run]);
      const object = this.#objects.get(job.sourceFileIds[source] ?? '');
      if (object === undefined) {
        throw new Error('The job has a source that this key did not write');
      }
      return object.subarray(from, from + Number(job.runBytes[run]));
    });
    let run = 0;
    const targets = job.targetRuns.map((count) => {
      run += count;
      return Buffer.concat(runs.slice(run - count, run));
    });
    let position = 0;
    const targetPosition = targets.map(({ length }) => {
      position += length;
      return String(position - length);
    });
    const fileId = this.newFileId();
    await this.store(fileId, Buffer.concat(targets));
    const { jobId, level, sourceFileIds, topicIds, targetTopic, targetPartition, plan } = job;
    const { targetBaseOffset, targetEndOffset } = job;
    return {
      ...{ agentId: AGENT_ID, jobId, level, fileId, fileBytes: String(position), sourceFileIds, topicIds, plan },
      ...{ targetTopic, targetPartition, targetBaseOffset, targetEndOffset, targetPosition },
      targetBytes: targets.map(({ length }) => String(length)),
    };
  }

  /** Names an object of this length, which need not exist, as the compaction of a partition's first run that nobody ordered. */
  swapOf(
    source: { topicId: string; fileId: string; bytes: number; records: number },
    { fileId, bytes }: { fileId: string; bytes: number },
  ): object {
    return {
      ...{ agentId: AGENT_ID, jobId: this.newFileId(), fileId, fileBytes: String(bytes), level: 2 },
      ...{ sourceFileIds: [source.fileId], topicIds: [source.topicId], targetTopic: [0], targetPartition: [0] },
      ...{ targetBaseOffset: ['0'], targetEndOffset: [String(source.records)], targetPosition: ['0'] },
      ...{ targetBytes: [String(bytes)], compact: true, targetSourceBytes: [String(source.bytes)] },
    };
  }

  /** Returns what was refused. */
  async complete(completion: object): Promise<string[]> {
    try {
      const { applied, reason } = await this.call<{ applied?: boolean; reason?: string }>('CompleteJob', completion);
      return applied === true ? [] : [reason ?? ''];
    } catch (error) {
      return [(error as Error).message];
    }
  }

  close(): void {
    this.#rpc.close();
  }
}
