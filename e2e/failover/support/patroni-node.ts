// One PostgreSQL under Patroni. All its network traffic goes through proxies, so that it can be isolated without privileges over the
// machine's network.
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@penstock/servers/free-port';
import type { ServerAccount } from '@penstock/servers/postgres-binaries';
import { findPostgres } from '../../../infra/local/tools.ts';
import { type BreakableProxy, startBreakableProxy } from '../../clients/support/breakable-proxy.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import type { Durability, PatroniTimes } from './patroni.types.ts';

export interface NodePlan {
  name: string;
  folder: string;
  account: ServerAccount | undefined;
  etcdUrl: string;
  password: string;
  durability: Durability;
  times: PatroniTimes;
}

/** The network paths of a node. */
interface Links {
  /** From the node to etcd. */
  etcd: BreakableProxy;
  /** From the other node: replication, pg_rewind, and Patroni's API calls. */
  peerPostgres: BreakableProxy;
  peerRest: BreakableProxy;
  /** From HAProxy: sessions, and its health checks. */
  clientPostgres: BreakableProxy;
  clientRest: BreakableProxy;
}

export type Side = 'etcd' | 'peer' | 'clients';

export class PatroniNode {
  readonly name: string;
  readonly #plan: NodePlan;
  readonly #links: Links;
  readonly #ports: { postgres: number; rest: number };
  #patroni: Daemon | undefined;

  private constructor(plan: NodePlan, links: Links, ports: { postgres: number; rest: number }) {
    this.name = plan.name;
    this.#plan = plan;
    this.#links = links;
    this.#ports = ports;
  }

  /** Prepares a node; `start` starts it. */
  static async prepare(plan: NodePlan): Promise<PatroniNode> {
    const ports = { postgres: await freePort(), rest: await freePort() };
    const to = (port: number): Promise<BreakableProxy> => startBreakableProxy(`http://127.0.0.1:${port}`);
    const links = {
      etcd: await startBreakableProxy(plan.etcdUrl),
      peerPostgres: await to(ports.postgres),
      peerRest: await to(ports.rest),
      clientPostgres: await to(ports.postgres),
      clientRest: await to(ports.rest),
    };
    await mkdir(plan.folder, { recursive: true });
    const node = new PatroniNode(plan, links, ports);
    await writeFile(node.#configFile, JSON.stringify(node.#config()), { mode: 0o600 });
    if (plan.account !== undefined) {
      await chown(plan.folder, plan.account.uid, plan.account.gid);
      await chown(node.#configFile, plan.account.uid, plan.account.gid);
    }
    return node;
  }

  /** The address that HAProxy uses. */
  get clientPorts(): { postgres: number; rest: number } {
    return { postgres: this.#links.clientPostgres.port, rest: this.#links.clientRest.port };
  }

  get logFile(): string {
    return join(this.#plan.folder, '..', `${this.name}.log`);
  }

  get isRunning(): boolean {
    return this.#patroni?.isRunning() === true;
  }

  async start(): Promise<void> {
    this.#patroni = await startDaemon({
      command: 'patroni',
      args: [this.#configFile],
      logFile: this.logFile,
      account: this.#plan.account,
    });
  }

  /** Whether Patroni answers 200 on this path (/primary, /sync, /replica, ...), bypassing the proxies. */
  async answers(path: string): Promise<boolean> {
    return await fetch(`http://127.0.0.1:${this.#ports.rest}${path}`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  /** kill -9 of every PostgreSQL process. Patroni survives and notices. */
  async killPostgres(): Promise<void> {
    const postmaster = await this.#postmaster();
    if (postmaster === undefined) {
      return;
    }
    const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').catch(() => '');
    for (const pid of [
      postmaster,
      ...children
        .split(' ')
        .filter((text) => text.trim() !== '')
        .map(Number),
    ]) {
      kill(pid);
    }
  }

  /** A power cut: Patroni and PostgreSQL are gone at once, without closing connections properly. */
  async kill(): Promise<void> {
    await this.#patroni?.kill();
    await this.killPostgres();
  }

  /** Stops all traffic on these paths; connections stay open and silent, as when packets are lost. */
  cut(sides: readonly Side[]): void {
    for (const link of this.#linksOf(sides)) {
      link.stall();
    }
  }

  mend(): void {
    for (const link of Object.values(this.#links)) {
      link.mend();
    }
  }

  async stop(): Promise<void> {
    // Patroni first stops PostgreSQL cleanly; stopping PostgreSQL first would look like a fault to Patroni.
    await this.#patroni?.stop();
    await this.killPostgres();
    await Promise.all(Object.values(this.#links).map((link: BreakableProxy) => link.close()));
  }

  #linksOf(sides: readonly Side[]): BreakableProxy[] {
    const { etcd, peerPostgres, peerRest, clientPostgres, clientRest } = this.#links;
    const bySide = { etcd: [etcd], peer: [peerPostgres, peerRest], clients: [clientPostgres, clientRest] };
    return sides.flatMap((side) => bySide[side]);
  }

  get #configFile(): string {
    return join(this.#plan.folder, 'patroni.yml');
  }

  get #dataFolder(): string {
    return join(this.#plan.folder, 'data');
  }

  /** Process id of the running server; the pid file may remain after a kill. */
  async #postmaster(): Promise<number | undefined> {
    const text = await readFile(join(this.#dataFolder, 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number.parseInt(text, 10);
    if (Number.isNaN(pid)) {
      return undefined;
    }
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return commandLine.includes(this.#dataFolder) ? pid : undefined;
  }

  /** Patroni's configuration. infra/docs/high-availability.md explains the settings; JSON is valid YAML. */
  #config(): unknown {
    const { name, folder, password, durability, times } = this.#plan;
    const { etcd, peerPostgres, peerRest } = this.#links;
    return {
      scope: 'penstock',
      name,
      restapi: { listen: `127.0.0.1:${this.#ports.rest}`, connect_address: `127.0.0.1:${peerRest.port}` },
      // Without use_proxies Patroni would get etcd's own addresses from etcd and bypass the proxy.
      etcd3: { hosts: [`127.0.0.1:${etcd.port}`], use_proxies: true },
      bootstrap: {
        dcs: {
          ttl: times.ttl_s,
          loop_wait: times.loopWaitS,
          retry_timeout: times.retryTimeoutS,
          // Does not wait for a crashed server: the standby takes over at once.
          primary_start_timeout: 0,
          synchronous_mode: durability !== 'asynchronous',
          synchronous_mode_strict: durability === 'strict',
          // The tests of the asynchronous pair deliberately lose a tail of any length.
          maximum_lag_on_failover: 1024 ** 3,
          postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_keep_size: '256MB' } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      },
      postgresql: {
        listen: `127.0.0.1:${this.#ports.postgres}`,
        connect_address: `127.0.0.1:${peerPostgres.port}`,
        data_dir: this.#dataFolder,
        bin_dir: findPostgres(),
        pgpass: join(folder, 'pgpass'),
        authentication: {
          superuser: { username: 'postgres', password },
          replication: { username: 'replicator', password },
        },
        pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication replicator 127.0.0.1/32 scram-sha-256'],
        parameters: { unix_socket_directories: folder },
      },
    };
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended in the meantime.
  }
}
