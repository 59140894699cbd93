// Agents that commit data files one after the other through whichever process owns the cluster, and remember what they were
// told, so that it can be checked against what the cluster holds in the end.
import { Code, ConnectError } from '@connectrpc/connect';
import { type Id, idKey } from '@penstock/metadata-core';
import { OWNER_URL_HEADER } from '@penstock/metadata-protocol';
import { type AgentConnection, connectAgent } from './agent-client.ts';
import { commitOf } from './cluster-fixture.ts';
import type { ClusterWithKey } from './control-plane-fixture.ts';

/** A call to a process that is paused gets no answer: ask again after this. */
const CALL_TIMEOUT_MS = 1_000;
const RETRY_PAUSE_MS = 20;
const GIVE_UP_MS = 30_000;

const retriable = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Canceled, Code.Aborted]);

function isRetriable({ code, rawMessage }: ConnectError): boolean {
  // A server that is closing the connection has not looked at such a call (RFC 9113, 8.7); the client library says "internal".
  return retriable.has(code) || rawMessage.includes('NGHTTP2_REFUSED_STREAM');
}

/** Calls one of several processes and follows them to the owner. */
export class OwnerFollower {
  readonly #connections: Map<string, AgentConnection>;
  #current: string;

  constructor(urls: readonly string[], cluster: ClusterWithKey) {
    this.#connections = new Map(urls.map((url) => [url, connectAgent(url, cluster)]));
    this.#current = urls[0] ?? '';
  }

  /** Retries what may be retried until it succeeds. */
  async call<Result>(
    attempt: (client: AgentConnection['client'], timeoutMs: number) => Promise<Result>,
  ): Promise<Result> {
    const untilMs = performance.now() + GIVE_UP_MS;
    for (;;) {
      const asked = this.#current;
      const connection = this.#connections.get(asked);
      if (connection === undefined) {
        throw new Error(`no process at ${asked}`);
      }
      try {
        return await attempt(connection.client, CALL_TIMEOUT_MS);
      } catch (error) {
        const refusal = ConnectError.from(error);
        const { metadata } = refusal;
        if (!isRetriable(refusal) || performance.now() > untilMs) {
          throw error;
        }
        this.#current = metadata.get(OWNER_URL_HEADER) ?? this.#otherThan(asked);
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
      }
    }
  }

  /** Whether this very process answers as the owner. @throws when it refuses for another reason than not being the owner */
  async isAnsweredBy(url: string): Promise<boolean> {
    try {
      await this.#connections.get(url)?.client.describeCluster({});
      return true;
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unavailable) {
        throw error;
      }
      return false;
    }
  }

  close(): void {
    for (const connection of this.#connections.values()) {
      connection.close();
    }
  }

  #otherThan(asked: string): string {
    const urls = [...this.#connections.keys()];
    return urls[(urls.indexOf(asked) + 1) % urls.length] ?? asked;
  }
}

export class CommittingAgents {
  /** Base offset by file id, as it was answered. */
  readonly acknowledged = new Map<string, number>();
  readonly #follower: OwnerFollower;
  readonly #topicId: Id;
  readonly #running: Promise<void>[];
  readonly #pauseMs: number;
  #failure: unknown;
  #isStopping = false;
  #lastAtMs = performance.now();
  #longestGapMs = 0;

  /**
   * @param losesAnswers each commit is first sent by a call that does not wait for its answer
   * @param pauseMs how long each agent waits between an answer and its next commit
   */
  constructor(follower: OwnerFollower, topicId: Id, agents: number, losesAnswers = false, pauseMs = 0) {
    this.#follower = follower;
    this.#topicId = topicId;
    this.#pauseMs = pauseMs;
    this.#running = Array.from({ length: agents }, () => this.#run(losesAnswers));
    for (const running of this.#running) {
      running.catch((error: unknown) => {
        this.#failure ??= error;
      });
    }
  }

  /** How many commits were acknowledged. @throws what made an agent give up */
  get count(): number {
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    return this.acknowledged.size;
  }

  /** The longest time since the last call of this in which nothing was acknowledged. */
  takeLongestGapMs(): number {
    const longestMs = Math.max(this.#longestGapMs, performance.now() - this.#lastAtMs);
    this.#longestGapMs = 0;
    return longestMs;
  }

  /** Lets the commits under way be acknowledged and ends. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running);
  }

  /** Every acknowledged commit lies where it was said to lie, each exactly once, and nothing else is there. */
  async audit(): Promise<{ lost: string[]; highWatermark: number }> {
    const cursors = [...this.acknowledged].map(([fileKey, offset]) => ({ fileKey, offset }));
    const { located } = await this.#follower.call((client) =>
      client.locate({
        cursors: cursors.map(({ offset }) => ({
          topicId: this.#topicId,
          partition: 0,
          offset: BigInt(offset),
          maxBytes: 1,
        })),
      }),
    );
    const lost = cursors
      .filter(({ fileKey, offset }, index) => {
        const run = located[index]?.runs[0];
        return run === undefined || idKey(run.fileId) !== fileKey || run.baseOffset !== BigInt(offset);
      })
      .map(({ fileKey }) => fileKey);
    return { lost, highWatermark: Number(located[0]?.highWatermark ?? -1n) };
  }

  async #run(losesAnswers: boolean): Promise<void> {
    while (!this.#isStopping) {
      const commit = commitOf(this.#topicId, [0], 1, Date.now());
      const request = {
        fileId: commit.fileId,
        fileBytes: BigInt(commit.fileBytes),
        topicIds: commit.topicIds,
        runTopic: [...commit.runTopic],
        runPartition: [...commit.runPartition],
        runPosition: [0n],
        runBatches: [1],
        batchBytes: [...commit.batchBytes],
        batchRecords: [...commit.batchRecords],
        batchMaxTimestampMs: [BigInt(Date.now())],
        batchUncompressedBytes: [200n],
      };
      if (losesAnswers) {
        await this.#follower.call(async (client) => {
          await client.commitFile(request, { timeoutMs: 1 }).catch(() => undefined);
        });
      }
      const answer = await this.#follower.call((client, timeoutMs) => client.commitFile(request, { timeoutMs }));
      if (answer.errorCode !== 0 || answer.batchErrorCode.length > 0) {
        throw new Error(`a commit was refused: ${answer.errorCode} ${answer.errorMessage}`);
      }
      this.acknowledged.set(idKey(commit.fileId), Number(answer.batchBaseOffset[0]));
      this.#noteAcknowledgement();
      if (this.#pauseMs > 0) {
        await new Promise((resolve) => setTimeout(resolve, this.#pauseMs));
      }
    }
  }

  #noteAcknowledgement(): void {
    const nowMs = performance.now();
    this.#longestGapMs = Math.max(this.#longestGapMs, nowMs - this.#lastAtMs);
    this.#lastAtMs = nowMs;
  }
}
