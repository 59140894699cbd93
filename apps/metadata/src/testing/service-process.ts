// The metadata service as a process of its own, to be killed, paused and stopped by tests.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { RulesVersion } from '@penstock/metadata-core';
import { INTERNAL_TOKEN } from './control-plane-fixture.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const previousRelease = new URL('./previous-release.ts', import.meta.url).href;
const pinnedNode = fileURLToPath(new URL('../../../../node_modules/node/bin/node', import.meta.url));

interface ServiceOptions {
  release?: 'this' | 'previous';
  raiseRulesTo?: RulesVersion;
  cells?: Record<string, string>;
}

export class ServiceProcess {
  readonly rpcUrl: string;
  /** Exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, rpcUrl: string) {
    this.#child = child;
    this.rpcUrl = rpcUrl;
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? code ?? -1));
    });
  }

  /**
   * @param release `previous`: knows none of the formats that came with rules levels
   * @param cells connection strings of the cells beside `main`, which is `databaseUrl`
   */
  static async start(
    databaseUrl: string,
    leaseTtlMs: number,
    { release = 'this', raiseRulesTo, cells = {} }: ServiceOptions = {},
  ): Promise<ServiceProcess> {
    const preload = release === 'previous' ? ['--import', previousRelease] : [];
    const child = spawn(pinnedNode, [...preload, main], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: databaseUrl,
        PENSTOCK_CELLS: JSON.stringify(cells),
        PENSTOCK_METADATA_PORT: '0',
        PENSTOCK_METADATA_HTTP_PORT: '0',
        PENSTOCK_INTERNAL_TOKEN: INTERNAL_TOKEN,
        PENSTOCK_METADATA_LEASE_TTL_MS: String(leaseTtlMs),
        ...(raiseRulesTo !== undefined && { PENSTOCK_METADATA_RULES: String(raiseRulesTo) }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const { rpcUrl }: { rpcUrl?: string } = JSON.parse(line);
      if (rpcUrl === undefined) continue;
      // The rest of its log is of no interest, but must not fill the pipe.
      child.stdout.resume();
      return new ServiceProcess(child, rpcUrl);
    }
    throw new Error('the metadata service ended while starting');
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it however it stands, and waits for that. */
  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exited;
  }
}
