// How an agent calls the metadata service: attempts, pauses, and finding the owner.
import { Code } from '@connectrpc/connect';
import { parseWitnessed, type WitnessedPosition } from '@penstock/metadata-journal';
import type { Machine } from '../kernel/machine.ts';
import type { Random } from '../kernel/random.ts';
import type { CallName, Reply, RequestInit, Response } from '../metadata/metadata-process.ts';
import type { Network, WatchHandlers } from '../metadata/network.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const ATTEMPT_TIMEOUT_MS = 5_000;
export const DEFAULT_TIMEOUT_MS = 15_000;

const RETRIABLE: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Aborted]);

/** A call that was given up, or refused permanently. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  readonly isRetriable: boolean;

  constructor(call: string, code: Code, message: string) {
    super(`${call}: ${Code[code]} ${message}`);
    this.isRetriable = RETRIABLE.has(code);
  }
}

export class MetadataClient {
  readonly #machine: Machine;
  readonly #network: Network;
  readonly #random: Random;
  #current: string;
  #nextConfigured: number;
  /** The newest journal position that it has received, as text and parsed. */
  #witnessed: { text: string; position: WitnessedPosition } | undefined;

  constructor(machine: Machine, network: Network, random: Random) {
    this.#machine = machine;
    this.#network = network;
    this.#random = random;
    // Agents are configured with the processes in any order.
    const first = random.below(network.urls.length);
    this.#current = network.urls[first] ?? '';
    this.#nextConfigured = (first + 1) % network.urls.length;
  }

  /** The newest journal entry that this agent knows to have been durable. */
  get witnessed(): WitnessedPosition | undefined {
    return this.#witnessed?.position;
  }

  /** Retries until it is answered, permanently refused, or out of time. @throws CallFailed */
  async call<K extends CallName>(
    name: K,
    request: RequestInit<K>,
    timeoutMs = DEFAULT_TIMEOUT_MS,
  ): Promise<Response<K>> {
    const deadlineMs = this.#machine.monotonicMs() + timeoutMs;
    const isLongPoll = name === 'joinGroup' || name === 'syncGroup' || name === 'consumerGroupHeartbeat';
    let pauseMs = FIRST_PAUSE_MS;
    let hasFollowed = false;
    for (;;) {
      const url = this.#current;
      const restMs = deadlineMs - this.#machine.monotonicMs();
      const reply = await this.#attempt(url, name, request, isLongPoll ? restMs : Math.min(restMs, ATTEMPT_TIMEOUT_MS));
      if (reply.ok) {
        return reply.answer;
      }
      const failure = new CallFailed(name, reply.code, reply.message);
      if (!failure.isRetriable) {
        throw failure;
      }
      const goAtOnce: boolean = this.#turn(url, reply.ownerUrl) && !hasFollowed;
      hasFollowed ||= goAtOnce;
      const waitMs = goAtOnce ? 0 : pauseMs * (0.5 + this.#random.below(1_000) / 2_000);
      if (!goAtOnce) {
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      }
      if (this.#machine.monotonicMs() + waitMs >= deadlineMs) {
        throw failure;
      }
      await this.#machine.sleep(waitMs);
    }
  }

  /** Opens a watch stream to the process that it believes to be the owner. */
  watch(agentId: string, handlers: WatchHandlers): () => void {
    const url = this.#current;
    const onEnd = (ownerUrl: string): void => {
      this.#turn(url, ownerUrl);
      handlers.onEnd(ownerUrl);
    };
    const onEvent: WatchHandlers['onEvent'] = (event) => {
      this.#witness(event.journalPosition);
      handlers.onEvent(event);
    };
    return this.#network.watch(this.#machine, url, agentId, this.#witnessed?.text ?? null, { onEvent, onEnd });
  }

  #attempt<K extends CallName>(
    url: string,
    name: K,
    request: RequestInit<K>,
    timeoutMs: number,
  ): Promise<Reply<Response<K>>> {
    return new Promise((resolve) => {
      const cancel = this.#machine.after(timeoutMs, () =>
        resolve({ ok: false, code: Code.DeadlineExceeded, message: `no answer from ${url}`, ownerUrl: '' }),
      );
      const witnessed = this.#witnessed?.text ?? null;
      this.#network.call(this.#machine, url, { name, request, witnessed }, (reply) => {
        cancel();
        if (reply.ok) {
          this.#witness(reply.position);
        }
        resolve(reply);
      });
    });
  }

  #witness(text: string): void {
    const position = parseWitnessed(text);
    const known = this.#witnessed?.position;
    if (
      position !== undefined &&
      (known === undefined ||
        position.history > known.history ||
        (position.history === known.history && position.seq > known.seq))
    ) {
      this.#witnessed = { text, position };
    }
  }

  /** Switches to the owner that was named (true), or to the next process. */
  #turn(asked: string, ownerUrl: string): boolean {
    if (ownerUrl !== '') {
      this.#current = ownerUrl;
      return true;
    }
    if (this.#current === asked) {
      const { urls } = this.#network;
      this.#current = urls[this.#nextConfigured % urls.length] ?? asked;
      this.#nextConfigured = (this.#nextConfigured + 1) % urls.length;
    }
    return false;
  }
}
