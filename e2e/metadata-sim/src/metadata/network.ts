// The network between agents and metadata processes: calls are lost, delayed or duplicated, and answers are lost.
import { Code } from '@connectrpc/connect';
import type { Machine } from '../kernel/machine.ts';
import type { Scheduler } from '../kernel/scheduler.ts';
import type { Weather } from '../kernel/weather.ts';
import type { CallName, MetadataProcess, Reply, RequestInit, Response, WatchEvent } from './metadata-process.ts';

const HOP_MS = 1;
const SLOW_HOP_MS = 12_000;
const REPEATED_LATE_MS = 3_000;
/**
 * A repeated long poll replaces the first one, a repeated offset commit a later one, and a repeated heartbeat tells of partitions that its
 * member owned before, as in Kafka.
 */
const NEVER_REPEATED: ReadonlySet<CallName> = new Set([
  'joinGroup',
  'syncGroup',
  'commitOffsets',
  'consumerGroupHeartbeat',
]);

export interface WatchHandlers {
  onEvent: (event: WatchEvent) => void;
  /** The stream has ended; `ownerUrl` names the owner, if known. */
  onEnd: (ownerUrl: string) => void;
}

/** A call that an agent sends. */
export interface Call<K extends CallName> {
  name: K;
  request: RequestInit<K>;
  /** The newest journal position that the agent has received. */
  witnessed: string | null;
}

type HangUp = () => void;

export class Network {
  readonly #scheduler: Scheduler;
  readonly #weather: Weather;
  readonly #processes = new Map<string, MetadataProcess>();
  /** Waiting callers of each process, which are notified when its connections break. */
  readonly #callers = new Map<MetadataProcess, Set<HangUp>>();

  /** Until when no message passes between a machine and a URL, in true time. */
  readonly #cuts = new Map<string, number>();

  constructor(scheduler: Scheduler, weather: Weather) {
    this.#scheduler = scheduler;
    this.#weather = weather;
  }

  get urls(): string[] {
    return [...this.#processes.keys()];
  }

  /** A process starts to listen at its URL, in place of the one before. */
  listen(process: MetadataProcess): void {
    this.#processes.set(process.url, process);
    this.#callers.set(process, new Set());
  }

  /** A process is gone: the connections of its callers are reset. */
  reset(process: MetadataProcess): void {
    const callers = this.#callers.get(process) ?? new Set();
    this.#callers.set(process, new Set());
    for (const hangUp of callers) {
      this.#scheduler.after(this.#hopMs(), hangUp);
    }
  }

  /** Cuts the connection between these two for this long. */
  cut(from: Machine, url: string, forMs: number): void {
    this.#cuts.set(`${from.name} ${url}`, this.#scheduler.nowMs + forMs);
  }

  /** One attempt. It may never be answered: the caller has its own timeout. */
  call<K extends CallName>(
    from: Machine,
    url: string,
    { name, request, witnessed }: Call<K>,
    hear: (reply: Reply<Response<K>>) => void,
  ): void {
    const process = this.#processes.get(url);
    const answer = (reply: Reply<Response<K>>): void => from.deliver(() => hear(reply));
    if (process === undefined || process.machine.isDead) {
      this.#scheduler.after(this.#hopMs(), () => answer(unreachable(url)));
      return;
    }
    if (this.#weather.strikes('requestLost') || this.#isCut(from, url)) {
      return;
    }
    const hangUp = (): void => answer(unreachable(url));
    this.#callers.get(process)?.add(hangUp);
    const losesAnswer = this.#weather.strikes('answerLost');
    this.#arrive(process, this.#hopMs(), async () => {
      const reply = await process.serve(name, request, witnessed);
      if (process.machine.isDead) {
        return;
      }
      this.#callers.get(process)?.delete(hangUp);
      if (!losesAnswer && !this.#isCut(from, url)) {
        this.#scheduler.after(this.#hopMs(), () => answer(reply));
      }
    });
    if (!NEVER_REPEATED.has(name) && this.#weather.strikes('requestRepeated')) {
      this.#arrive(process, this.#weather.delay(HOP_MS, REPEATED_LATE_MS), async () => {
        await process.serve(name, request, witnessed);
      });
    }
  }

  /** Opens a stream. Returns the function that closes it. */
  watch(from: Machine, url: string, agentId: string, witnessed: string | null, handlers: WatchHandlers): HangUp {
    const process = this.#processes.get(url);
    let isOver = false;
    let lastDueMs = 0;
    const abort = new AbortController();
    /** Events of one stream keep their order. */
    const inOrder = (fire: () => void): void => {
      lastDueMs = Math.max(lastDueMs, this.#scheduler.nowMs + this.#hopMs());
      this.#scheduler.after(lastDueMs - this.#scheduler.nowMs, () => from.deliver(fire));
    };
    const end = (ownerUrl: string): void => {
      if (!isOver) {
        isOver = true;
        handlers.onEnd(ownerUrl);
      }
    };
    const breakOff = (): void => {
      process?.machine.deliver(() => abort.abort());
    };
    const hangUp = (): void => {
      isOver = true;
      breakOff();
    };
    if (process === undefined || process.machine.isDead) {
      this.#scheduler.after(this.#hopMs(), () => from.deliver(() => end('')));
      return hangUp;
    }
    const onReset = (): void => from.deliver(() => end(''));
    this.#callers.get(process)?.add(onReset);
    this.#arrive(process, this.#hopMs(), async () => {
      const send = (event: WatchEvent): void => {
        if (this.#weather.strikes('streamBroken') || this.#isCut(from, url)) {
          breakOff();
          inOrder(() => end(''));
        } else {
          inOrder(() => {
            if (!isOver) {
              handlers.onEvent(event);
            }
          });
        }
      };
      const reply = await process.watch(agentId, witnessed, abort.signal, send);
      this.#callers.get(process)?.delete(onReset);
      inOrder(() => end(reply.ok ? '' : reply.ownerUrl));
    });
    return hangUp;
  }

  #isCut(from: Machine, url: string): boolean {
    return (this.#cuts.get(`${from.name} ${url}`) ?? 0) > this.#scheduler.nowMs;
  }

  #arrive(process: MetadataProcess, delayMs: number, run: () => Promise<void>): void {
    this.#scheduler.after(delayMs, () => process.machine.deliver(() => void run()));
  }

  #hopMs(): number {
    return this.#weather.strikes('messageDelayed') ? this.#weather.delay(HOP_MS, SLOW_HOP_MS) : HOP_MS;
  }
}

function unreachable(url: string): Reply<never> {
  return { ok: false, code: Code.Unavailable, message: `${url} cannot be reached`, ownerUrl: '' };
}
