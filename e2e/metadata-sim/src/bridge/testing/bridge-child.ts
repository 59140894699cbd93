// A driver of the bridge: starts the program and exchanges frames with it in lock-step.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  create,
  type DescMethod,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { CLUSTER_HEADER, MetadataService } from '@penstock/metadata-protocol';
import { encodeFrame, type Frame, FrameReader } from '../frames.ts';

const PROGRAM = fileURLToPath(new URL('../main.ts', import.meta.url));

export type MethodKey = keyof typeof MetadataService.method;
type Method<K extends MethodKey> = (typeof MetadataService.method)[K];

export class BridgeChild {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #reader = new FrameReader();
  readonly #arrived: Frame[] = [];
  #hash = createHash('sha256');
  #arrival: (() => void) | undefined;
  #errors = '';
  #lastId = 0;
  #ready: Frame['header'] = {};
  /** The virtual clock, in milliseconds since the Unix epoch. */
  nowMs = 0;
  /** When the service has something to do next. */
  nextAtMs: number | null = null;

  private constructor(seed: number) {
    this.#child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, '--seed', String(seed)]);
    this.#child.stdout.on('data', (bytes: Buffer) => {
      this.#hash.update(bytes);
      this.#arrived.push(...this.#reader.push(bytes));
      this.#arrival?.();
    });
    this.#child.stderr.on('data', (bytes: Buffer) => {
      this.#errors += bytes.toString();
    });
    this.#child.on('exit', () => this.#arrival?.());
  }

  static async start(seed: number): Promise<BridgeChild> {
    const bridge = new BridgeChild(seed);
    const { header } = await bridge.#next();
    bridge.#ready = header;
    bridge.nowMs = Number(header['atMs']);
    return bridge;
  }

  get ready(): Frame['header'] {
    return this.#ready;
  }

  /** Begins anew in the same process. The hash begins anew, too. */
  async restart(seed: number): Promise<void> {
    this.#hash = createHash('sha256');
    this.#lastId = 0;
    this.nextAtMs = null;
    this.#child.stdin.write(encodeFrame({ header: { type: 'restart', seed }, body: new Uint8Array(0) }));
    const { header } = await this.#next();
    this.#ready = header;
    this.nowMs = Number(header['atMs']);
  }

  /** The hash of all bytes that the bridge has written. */
  outputHash(): string {
    return this.#hash.copy().digest('hex');
  }

  get headers(): Record<string, string> {
    return {
      authorization: `Bearer ${String(this.#ready['agentKey'])}`,
      [CLUSTER_HEADER]: String(this.#ready['cluster']),
    };
  }

  /** Sends a frame at the present time. @returns the answers before `idle` */
  async send(header: Record<string, unknown>, body: Uint8Array = new Uint8Array(0)): Promise<Frame[]> {
    this.#child.stdin.write(encodeFrame({ header: { ...header, atMs: this.nowMs }, body }));
    const answers: Frame[] = [];
    for (;;) {
      const frame = await this.#next();
      if (frame.header['type'] === 'idle') {
        this.nextAtMs = frame.header['nextAtMs'] as number | null;
        return answers;
      }
      answers.push(frame);
    }
  }

  /** Lets the clock run, timer by timer. @returns what the bridge said meanwhile */
  async advance(byMs: number): Promise<Frame[]> {
    const endMs = this.nowMs + byMs;
    const answers: Frame[] = [];
    while (this.nowMs < endMs) {
      this.nowMs = Math.min(endMs, Math.max(this.nowMs, this.nextAtMs ?? endMs));
      answers.push(...(await this.send({ type: 'advance' })));
    }
    return answers;
  }

  /** Starts a call. @returns its id, and the answers that came at once */
  async begin<K extends MethodKey>(
    method: K,
    request: MessageInitShape<Method<K>['input']>,
    more: Record<string, unknown> = {},
  ): Promise<{ id: number; answers: Frame[] }> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { name, input } = MetadataService.method[method] as DescMethod;
    const body = toBinary(input, create(input, request as MessageInitShape<typeof input>));
    return { id, answers: await this.send({ type: 'call', id, method: name, headers: this.headers, ...more }, body) };
  }

  /** Makes a unary call and waits for its response, at most so long. */
  async call<K extends MethodKey>(
    method: K,
    request: MessageInitShape<Method<K>['input']>,
    { withinMs = 20_000, ...more }: { withinMs?: number; url?: string } = {},
  ): Promise<{ header: Frame['header']; answer: MessageShape<Method<K>['output']>; others: Frame[] }> {
    const { id, answers } = await this.begin(method, request, more);
    const endMs = this.nowMs + withinMs;
    const isResponse = ({ header }: Frame): boolean => header['type'] === 'response' && header['id'] === id;
    while (!answers.some(isResponse) && this.nowMs < endMs) {
      answers.push(...(await this.advance(Math.max(1, (this.nextAtMs ?? endMs) - this.nowMs))));
    }
    const response = answers.find(isResponse);
    if (response === undefined) {
      throw new Error(`${method} got no response within ${withinMs} ms`);
    }
    const { output } = MetadataService.method[method] as DescMethod;
    return {
      header: response.header,
      answer: fromBinary(
        output,
        response.header['error'] === undefined ? response.body : new Uint8Array(0),
      ) as MessageShape<Method<K>['output']>,
      others: answers.filter((frame) => frame !== response),
    };
  }

  async facts(): Promise<Frame['header']> {
    const [facts] = await this.send({ type: 'facts' });
    return facts?.header ?? {};
  }

  /** Ends the program. @returns its exit code */
  async end(): Promise<number | null> {
    if (this.#child.exitCode !== null) {
      return this.#child.exitCode;
    }
    const ended = new Promise<number | null>((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin.end();
    return await ended;
  }

  async #next(): Promise<Frame> {
    for (;;) {
      const frame = this.#arrived.shift();
      if (frame !== undefined) {
        return frame;
      }
      if (this.#child.exitCode !== null) {
        throw new Error(`the bridge ended with ${this.#child.exitCode}: ${this.#errors}`);
      }
      await new Promise<void>((resolve) => {
        this.#arrival = resolve;
      });
    }
  }
}
