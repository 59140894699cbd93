// Java producers and consumers under which a cluster is scaled: java/ScalingLoad.java.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { javaClassPath } from '../../../../infra/local/tools.ts';

export interface ClientsPlan {
  bootstrap: string;
  /** The topic, which is created. */
  topic: string;
  partitions: number;
  producers: number;
  consumers: number;
  /** Total rate of all producers. */
  recordsPerS: number;
  groupProtocol: 'classic' | 'consumer';
  /** How often a client asks for the agents when nothing makes it ask. */
  metadataMaxAgeMs: number;
}

/** Acknowledgements, or records that were read. */
export interface Flow {
  records: number;
  /** The longest time in which no client had any. */
  longest_gap_ms: number;
  /** From send to acknowledgement, or from a record's creation to a consumer. */
  p50_ms: number;
  p99_ms: number;
  max_ms: number;
}

/** Errors seen by the applications, by name of the exception. */
export type ClientErrors = Record<string, number>;

export interface PhaseOfClients {
  acknowledged: Flow;
  /** The longest time in which one of them had none. */
  one_producer_gap_ms: number;
  read: Flow;
  one_consumer_gap_ms: number;
  /** Partitions that consumers were given, though no consumer came or went. */
  assigned: number;
  /** Records read at the same place again. */
  read_again: number;
  errors: ClientErrors;
}

export interface ClientsOutcome {
  sent: number;
  acknowledged: number;
  /** Acknowledged and never read. */
  lost: number;
  /** Read at a second place: stored twice. */
  doubled: number;
  /** Read after a later record of the same producer and partition. */
  reordered: number;
  /** Read at the same place again. */
  read_again: number;
  errors: ClientErrors;
}

export class ScalingClients {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #stderr = '';

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-3_000);
    });
  }

  /** Starts them, and waits until each has sent or read a record. */
  static async start(plan: ClientsPlan): Promise<ScalingClients> {
    const classPath = await javaClassPath(join(import.meta.dirname, '../../java/ScalingLoad.java'));
    const numbers = [plan.partitions, plan.producers, plan.consumers, plan.recordsPerS].map(String);
    const child = spawn('java', [
      ...['-Xmx1g', '-XX:+UseSerialGC', '-cp', classPath, 'ScalingLoad', plan.bootstrap, plan.topic],
      ...[...numbers, plan.groupProtocol, String(plan.metadataMaxAgeMs)],
    ]);
    const clients = new ScalingClients(child);
    await clients.#line();
    return clients;
  }

  /** Returns what happened since the last call, or since the start. */
  async phase(): Promise<PhaseOfClients> {
    return JSON.parse(await this.#ask('phase')) as PhaseOfClients;
  }

  /** Stops the producers, and waits until all that they sent is read. */
  async stop(): Promise<ClientsOutcome> {
    return JSON.parse(await this.#ask('stop')) as ClientsOutcome;
  }

  /** Ends the program, if it still runs. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** The last that the clients logged of errors. */
  get log(): string {
    return this.#stderr;
  }

  #ask(command: string): Promise<string> {
    this.#child.stdin.write(`${command}\n`);
    return this.#line();
  }

  async #line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done === true) {
      throw new Error(`The clients ended:\n${this.#stderr}`);
    }
    return value;
  }
}
