// The metadata service behind frames: real processes on virtual time, whose every step the driver asks for. README.md describes the frames.
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Code, type ConnectError } from '@connectrpc/connect';
import { type CallFacts, peerValues, refusalOf, servePlain, type WatchCall } from '@penstock/metadata/simulation';
import { MetadataService, WatchEventSchema } from '@penstock/metadata-protocol';
import type { Logger } from '@penstock/platform';
import { Machine } from '../kernel/machine.ts';
import { Random } from '../kernel/random.ts';
import { Scheduler } from '../kernel/scheduler.ts';
import { Database } from '../store/database.ts';
import { ControlPlane } from './control-plane.ts';
import { DurableState } from './durable-state.ts';
import { factsOf } from './facts.ts';
import type { Frame } from './frames.ts';
import { ScriptedWeather } from './scripted-weather.ts';
import { ServiceProcess } from './service-process.ts';

const CLUSTER = { clusterId: '5eed0000-0000-4000-8000-000000000001', organizationId: 'simulated' };
const CELL = 'cell-0';
const PROCESSES = 2;
const NO_BODY = new Uint8Array(0);
const WATCH = MetadataService.method.watch;

export interface BridgeOptions {
  seed: number;
  logger: Logger;
}

type Loss = 'request' | 'answer' | undefined;

/** A call or stream that its caller still waits for. */
interface OpenCall {
  readonly process: ServiceProcess;
  readonly isStream: boolean;
  readonly abort: AbortController;
}

export class Bridge {
  readonly #scheduler = new Scheduler();
  readonly #random: Random;
  readonly #weather: ScriptedWeather;
  readonly #database: Database;
  readonly #durable = new DurableState(CLUSTER.clusterId);
  readonly #controlPlane: ControlPlane;
  readonly #logger: Logger;
  readonly #processes: ServiceProcess[] = [];
  readonly #open = new Map<number, OpenCall>();
  /** Processes that no connection reaches, and until when. */
  readonly #unreachable = new Map<string, number>();
  #frames: Frame[] = [];
  /** Calls made while no process owned the cluster. */
  #strayCalls = 0;
  #failure: unknown;

  constructor({ seed, logger }: BridgeOptions) {
    this.#random = new Random(seed);
    this.#logger = logger;
    this.#weather = new ScriptedWeather(this.#random, this.#scheduler);
    this.#database = new Database({
      scheduler: this.#scheduler,
      weather: this.#weather,
      onAppended: (seq, bytes) => this.#durable.append(seq, bytes),
    });
    this.#database.directory.add(CLUSTER.clusterId, { organizationId: CLUSTER.organizationId, isPaying: true });
    this.#controlPlane = new ControlPlane(CLUSTER, this.#random);
    for (let at = 0; at < PROCESSES; at += 1) {
      this.#startProcess(at);
    }
  }

  /** The virtual clock, in milliseconds since the Unix epoch. */
  get nowMs(): number {
    return this.#scheduler.nowMs;
  }

  /** The first frame: an agent needs these facts to register. */
  get ready(): Frame {
    return {
      header: {
        type: 'ready',
        atMs: this.#scheduler.nowMs,
        organization: CLUSTER.organizationId,
        cluster: CLUSTER.clusterId,
        agentKey: this.#controlPlane.agentKey,
        cell: CELL,
        urls: this.#processes.map(({ url }) => url),
      },
      body: NO_BODY,
    };
  }

  /**
   * Runs the clock to the time of the frame, then does what it says, and everything that is due at that time.
   * @returns the answers; `idle` is the last
   * @throws when the frame is not understood, or when the service has a defect
   */
  async handle({ header, body }: Frame): Promise<Frame[]> {
    const atMs = numberOf(header, 'atMs');
    this.#frames = [];
    if (header['type'] === 'leap') {
      this.#scheduler.leap(Math.max(0, atMs - this.#scheduler.nowMs));
    } else {
      await this.#scheduler.runUntil(atMs);
      this.#obey(header, body);
    }
    await this.#scheduler.runUntil(atMs);
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    if (header['type'] === 'facts') {
      const seen = this.#processes.map((process) => ({
        url: process.url,
        isDead: process.machine.isDead,
        isOwner: process.isOwner,
      }));
      const dead = this.#database.deadFiles.all(CLUSTER.clusterId);
      this.#say({ type: 'facts', atMs: this.#scheduler.nowMs, processes: seen, ...factsOf(this.#durable, dead) });
    }
    const { nextDueMs } = this.#scheduler;
    this.#say({ type: 'idle', nextAtMs: nextDueMs === null ? null : Math.ceil(nextDueMs) });
    return this.#frames;
  }

  #obey(header: Frame['header'], body: Uint8Array): void {
    switch (header['type']) {
      case 'call':
        this.#call(header, body);
        return;
      case 'cancel':
        this.#cancel(numberOf(header, 'id'));
        return;
      case 'fault':
        this.#fault(header);
        return;
      case 'settings':
        this.#database.directory.change(CLUSTER.clusterId, header['changes'] as object);
        return;
      case 'acls':
        this.#enforceAcls(String(header['superUser']));
        return;
      case 'advance':
      case 'facts':
        return;
      default:
        throw new Error(`no frame has the type ${JSON.stringify(header['type'])}`);
    }
  }

  #call(header: Frame['header'], body: Uint8Array): void {
    const id = numberOf(header, 'id');
    const method = String(header['method']);
    const loss = header['lose'] as Loss;
    if (loss === 'request') {
      return;
    }
    const process = this.#processAt(header['url']);
    if (process === undefined) {
      const error = { code: 'unavailable', message: 'no metadata process can be reached', metadata: {} };
      this.#say({ type: method === WATCH.name ? 'end' : 'response', id, reset: true, error });
      return;
    }
    const isStream = method === WATCH.name;
    const call: OpenCall = { process, isStream, abort: new AbortController() };
    this.#open.set(id, call);
    const headers = new Headers((header['headers'] ?? {}) as Record<string, string>);
    headers.set('content-length', String(body.length));
    process.machine.deliver(() => {
      const serving = isStream
        ? this.#watch(id, call, headers, body, loss)
        : this.#unary(id, call, method, headers, body, loss);
      serving.catch((error: unknown) => {
        this.#failure ??= error;
      });
    });
  }

  async #unary(
    id: number,
    call: OpenCall,
    name: string,
    headers: Headers,
    body: Uint8Array,
    loss: Loss,
  ): Promise<void> {
    const plain = call.process.plainCall(name);
    if (plain === undefined) {
      throw new Error(`the service has no unary call ${name}`);
    }
    const metadata: Record<string, string> = {};
    const facts: CallFacts = {
      service: plain.method.parent,
      method: plain.method,
      requestHeader: headers,
      responseHeader: {
        set: (header, value) => {
          metadata[header] = value;
        },
      },
      values: peerValues(undefined),
      signal: call.abort.signal,
    };
    let frame: Frame | undefined;
    try {
      const answer = await servePlain(plain, facts, body.length, async () => body);
      frame = { header: { type: 'response', id, metadata }, body: answer ?? NO_BODY };
    } catch (error) {
      frame = refusalFrame('response', id, error);
    }
    if (this.#close(id, call) && loss === undefined) {
      this.#frames.push(frame);
    }
  }

  async #watch(id: number, call: OpenCall, headers: Headers, body: Uint8Array, loss: Loss): Promise<void> {
    const { watch } = call.process.service;
    const context: CallFacts & WatchCall = {
      service: MetadataService,
      method: WATCH,
      requestHeader: headers,
      responseHeader: { set: () => undefined },
      values: peerValues(undefined),
      signal: call.abort.signal,
    };
    let end: Frame = { header: { type: 'end', id }, body: NO_BODY };
    try {
      await watch.admit(context);
      for await (const event of watch.answer(fromBinary(WATCH.input, body), context)) {
        if (this.#open.get(id) === call && loss === undefined) {
          const bytes = toBinary(WatchEventSchema, create(WatchEventSchema, event));
          this.#frames.push({ header: { type: 'event', id }, body: bytes });
        }
      }
    } catch (error) {
      end = refusalFrame('end', id, error);
    }
    if (this.#close(id, call)) {
      this.#frames.push(end);
    }
  }

  /** False: the caller has gone, or its process. */
  #close(id: number, call: OpenCall): boolean {
    if (this.#open.get(id) !== call || call.process.machine.isDead) {
      return false;
    }
    return this.#open.delete(id);
  }

  #cancel(id: number): void {
    const call = this.#open.get(id);
    this.#open.delete(id);
    call?.process.machine.deliver(() => call.abort.abort());
  }

  /**
   * Undefined: it cannot be reached.
   * @param url absent: the owner, else all that run in turn, since the one with the lease opens the cluster only when it is called
   */
  #processAt(url: unknown): ServiceProcess | undefined {
    const reachable = this.#processes.filter(
      (process) => !process.machine.isDead && (this.#unreachable.get(process.url) ?? 0) <= this.#scheduler.nowMs,
    );
    if (url !== undefined) {
      return reachable.find((process) => process.url === url);
    }
    const owner = reachable.find(({ isOwner }) => isOwner);
    if (owner !== undefined) {
      return owner;
    }
    this.#strayCalls += 1;
    return reachable[this.#strayCalls % Math.max(1, reachable.length)];
  }

  /** The control plane lets ACLs decide. Whom none names may do everything. */
  #enforceAcls(superUser: string): void {
    const owner = this.#processes.flatMap(({ owners }) => [...owners.openOwners])[0];
    if (owner === undefined) {
      throw new Error('ACLs can be turned on while a process owns the cluster');
    }
    const settings = {
      superUsers: [`User:${superUser}`],
      allowEveryoneIfNoAclFound: true,
      aclMode: 'enforced',
      authentication: 'never',
    } as const;
    owner.submit({ kind: 'update-security-settings', settings, expectedVersion: 0 }).catch((error: unknown) => {
      this.#failure ??= error;
    });
  }

  #fault(header: Frame['header']): void {
    const durationMs = Number(header['durationMs'] ?? 0);
    const share = Number(header['share'] ?? 1);
    const owner =
      this.#processes.find(({ isOwner }) => isOwner) ?? this.#processes.find(({ machine }) => !machine.isDead);
    if (owner === undefined) {
      return;
    }
    switch (header['name']) {
      case 'restart-owner':
        this.#kill(owner, durationMs);
        return;
      case 'pause-owner':
        owner.machine.halt('stopped', durationMs);
        return;
      case 'suspend-owner':
        owner.machine.halt('suspended', durationMs);
        return;
      case 'unreachable-owner':
        this.#unreachable.set(owner.url, this.#scheduler.nowMs + durationMs);
        this.#reset(owner);
        return;
      case 'shut-down-owner':
        this.#shutDown(owner, durationMs);
        return;
      case 'owner-clock':
        // A host whose clock is wrong owns nothing, so one host must be right for the service to work again.
        if (this.#processes.every((process) => process === owner || process.machine.defects.offsetMs === 0)) {
          owner.machine.setOffset(numberOf(header, 'offsetMs'));
        }
        return;
      case 'database-outage':
        for (const { connection } of this.#processes) {
          connection.hang('journal', durationMs);
          connection.hang('leases', durationMs);
        }
        return;
      case 'database-slow':
        this.#weather.begin('queryDelayed', share, durationMs);
        return;
      case 'database-errors':
        this.#weather.begin('queryFailed', share, durationMs);
        return;
      case 'append-lost':
        this.#weather.begin('appendLost', share, durationMs);
        return;
      case 'append-answer-lost':
        this.#weather.begin('appendAnswerLost', share, durationMs);
        return;
      case 'append-late':
        this.#weather.begin('appendLate', share, durationMs);
        return;
      case 'revoke-key':
        this.#controlPlane.revokeKey();
        return;
      default:
        throw new Error(`there is no fault ${JSON.stringify(header['name'])}`);
    }
  }

  #startProcess(at: number): void {
    const url = `http://metadata${at}/`;
    const machine = new Machine(url, this.#scheduler, { rate: 1, offsetMs: 0 });
    this.#processes[at] = new ServiceProcess({
      url,
      machine,
      database: this.#database,
      controlPlane: this.#controlPlane,
      random: this.#random,
      logger: this.#logger.child({ url }),
      onDefect: (error, method) => {
        this.#failure ??= new Error(`${method} ended with an internal error`, { cause: error });
      },
    });
  }

  /** The process is gone at once, and comes back after a while. */
  #kill(process: ServiceProcess, backAfterMs: number): void {
    if (process.machine.isDead) {
      return;
    }
    process.machine.kill();
    this.#reset(process);
    const at = this.#processes.indexOf(process);
    this.#scheduler.after(backAfterMs, () => this.#startProcess(at));
  }

  /** The process finishes its calls and gives its leases back first. */
  #shutDown(process: ServiceProcess, backAfterMs: number): void {
    process.owners
      .shutDown()
      .then(() => this.#kill(process, backAfterMs))
      .catch((error: unknown) => {
        this.#failure ??= error;
      });
  }

  /** Breaks the connections of a process. */
  #reset(process: ServiceProcess): void {
    for (const [id, call] of this.#open) {
      if (call.process !== process) {
        continue;
      }
      this.#open.delete(id);
      process.machine.deliver(() => call.abort.abort());
      const error = { code: 'unavailable', message: 'the connection was reset', metadata: {} };
      this.#say({ type: call.isStream ? 'end' : 'response', id, reset: true, error });
    }
  }

  #say(header: Record<string, unknown>): void {
    this.#frames.push({ header, body: NO_BODY });
  }
}

function refusalFrame(type: 'response' | 'end', id: number, cause: unknown): Frame {
  const { error, status, body } = refusalOf(cause);
  return { header: { type, id, error: { ...errorHeader(error), status } }, body };
}

function errorHeader({ code, rawMessage, metadata }: ConnectError): object {
  return { code: codeText(code), message: rawMessage, metadata: Object.fromEntries(metadata) };
}

/** The name of a code on the wire. */
function codeText(code: Code): string {
  return Code[code].replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function numberOf(header: Frame['header'], name: string): number {
  const number = header[name];
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    throw new Error(`the frame's ${name} is a number, not ${JSON.stringify(number)}`);
  }
  return number;
}
