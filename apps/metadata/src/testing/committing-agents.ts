// Agents that commit data files one after the other to the process that owns the cluster. They remember the offsets they were given, so
// that a test can compare them with the cluster in the end.
import type { SecureClientSessionOptions } from 'node:http2';
import { Code, ConnectError } from '@connectrpc/connect';
import { type Id, idKey } from '@penstock/metadata-core';
import { type Located, OWNER_URL_HEADER } from '@penstock/metadata-protocol';
import { type AgentConnection, connectAgent } from './agent-client.ts';
import { commitOf } from './cluster-fixture.ts';
import type { ClusterWithKey } from './control-plane-fixture.ts';

/** A paused process does not answer: retry after this. */
const CALL_TIMEOUT_MS = 1_000;
const RETRY_PAUSE_MS = 20;
/** Only for hangs, as the tests' own limits: on a busy machine, a process needs a minute to start. */
const GIVE_UP_MS = 240_000;
const CURSORS_PER_CALL = 500;

const retriable = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Canceled, Code.Aborted]);

function isRetriable({ code, rawMessage }: ConnectError): boolean {
  // A server that is closing the connection has not processed this call (RFC 9113, 8.7), and a proxy that lost its server resets the call's
  // stream; the client library says "internal" to both. Commits may be repeated.
  return retriable.has(code) || rawMessage.includes('NGHTTP2_');
}

/** Calls one of several processes and follows redirects to the owner. */
export class OwnerFollower {
  readonly #connections: Map<string, AgentConnection>;
  #current: string;

  constructor(urls: readonly string[], cluster: ClusterWithKey, session?: SecureClientSessionOptions) {
    this.#connections = new Map(urls.map((url) => [url, connectAgent(url, cluster, session)]));
    this.#current = urls[0] ?? '';
  }

  /** Retries retriable errors until the call succeeds. */
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

  /** The answer of a process that is not the owner. */
  async refusalOf(url: string): Promise<ConnectError> {
    return await (this.#connections.get(url)?.client.describeCluster({}) ?? Promise.reject(new Error('unknown'))).then(
      () => Promise.reject(new Error(`${url} is the owner`)),
      (error: unknown) => ConnectError.from(error),
    );
  }

  /** Whether this particular process answers as the owner. @throws when it refuses for any other reason than not being the owner */
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
  /** Base offset by file id, as acknowledged. */
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

  /** How many commits were acknowledged. @throws the error that made an agent give up */
  get count(): number {
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    return this.acknowledged.size;
  }

  /** The longest time without an acknowledgement since the last call of this method. */
  takeLongestGapMs(): number {
    const longestMs = Math.max(this.#longestGapMs, performance.now() - this.#lastAtMs);
    this.#longestGapMs = 0;
    return longestMs;
  }

  /** Waits for commits in flight and stops. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running);
  }

  /** Checks that every acknowledged commit is at its offset, exactly once, and that there is nothing else. */
  async audit(): Promise<{ lost: string[]; highWatermark: number }> {
    const cursors = [...this.acknowledged].map(([fileKey, offset]) => ({ fileKey, offset }));
    // A call through Connect's adapter has at most 64 KiB, and how many files there are depends on the machine.
    const located: Located[] = [];
    for (let from = 0; from < cursors.length; from += CURSORS_PER_CALL) {
      const asked = cursors.slice(from, from + CURSORS_PER_CALL).map(({ offset }) => ({
        topicId: this.#topicId,
        partition: 0,
        offset: BigInt(offset),
        maxBytes: 1,
      }));
      located.push(...(await this.#follower.call((client) => client.locate({ cursors: asked }))).located);
    }
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
