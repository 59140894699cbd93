// The metadata service in a process of its own, for tests that kill, pause and stop it.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { KEY_VARIABLES } from './control-plane-fixture.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const pinnedNode = fileURLToPath(new URL('../../../../node_modules/node/bin/node', import.meta.url));

interface Urls {
  rpcUrl: string;
  httpUrl: string;
}

interface ServiceOptions {
  cells?: Record<string, string>;
  env?: Readonly<Record<string, string>>;
}

export class ServiceProcess {
  readonly rpcUrl: string;
  readonly httpUrl: string;
  /** Exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, urls: Urls) {
    this.#child = child;
    this.rpcUrl = urls.rpcUrl;
    this.httpUrl = urls.httpUrl;
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? code ?? -1));
    });
  }

  /**
   * @param cells connection strings of the cells besides `main`, which is `databaseUrl`
   * @param env more environment variables
   */
  static async start(
    databaseUrl: string,
    leaseTtlMs: number,
    { cells = {}, env = {} }: ServiceOptions = {},
  ): Promise<ServiceProcess> {
    const child = spawn(pinnedNode, [main], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        DATABASE_URL: databaseUrl,
        PENSTOCK_CELLS: JSON.stringify(cells),
        PENSTOCK_METADATA_HOST: '127.0.0.1',
        PENSTOCK_METADATA_PORT: '0',
        PENSTOCK_METADATA_HTTP_PORT: '0',
        PENSTOCK_METADATA_ADMIN_LISTEN: '127.0.0.1:0',
        ...KEY_VARIABLES,
        PENSTOCK_METADATA_LEASE_TTL_MS: String(leaseTtlMs),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const { rpcUrl, httpUrl }: Partial<Urls> = JSON.parse(line);
      if (rpcUrl === undefined || httpUrl === undefined) {
        continue;
      }
      // The rest of its log is not needed, but must not fill the pipe.
      child.stdout.resume();
      return new ServiceProcess(child, { rpcUrl, httpUrl });
    }
    throw new Error('the metadata service ended while starting');
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Kills the process in whatever state it is, and waits for its exit. */
  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exited;
  }
}
