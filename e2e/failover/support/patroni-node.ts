// One PostgreSQL under Patroni. Everything that passes between it and the rest of the world goes through proxies, so that it can be cut
// off without rights over the machine's network.
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, type ServerAccount } from '@penstock/testing';
import { findPostgres } from '../../../infra/local/tools.ts';
import { type BreakableProxy, startBreakableProxy } from '../../clients/support/breakable-proxy.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import type { Durability, PatroniTimes } from './patroni-pair.ts';

export interface NodePlan {
  name: string;
  folder: string;
  account: ServerAccount | undefined;
  etcdUrl: string;
  password: string;
  durability: Durability;
  times: PatroniTimes;
}

/** The ways to and from a node. */
interface Links {
  /** To etcd, from the node. */
  etcd: BreakableProxy;
  /** From the other node: replication, pg_rewind, and Patroni asking Patroni. */
  peerPostgres: BreakableProxy;
  peerRest: BreakableProxy;
  /** From HAProxy: sessions, and its question who is primary. */
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

  /** Lays out a node; `start` starts it. */
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

  /** Where HAProxy finds it. */
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

  /** Whether Patroni answers 200 on this path (/primary, /sync, /replica, ...), asked past the proxies. */
  async answers(path: string): Promise<boolean> {
    return await fetch(`http://127.0.0.1:${this.#ports.rest}${path}`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  /** kill -9 of PostgreSQL, every process of it. Patroni lives on and notices. */
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

  /** What a power cut does: Patroni and PostgreSQL are gone at once, without a word to anybody. */
  async kill(): Promise<void> {
    await this.#patroni?.kill();
    await this.killPostgres();
  }

  /** Nothing passes any more on these sides; connections stay and are silent, as when packets are lost. */
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
    // PostgreSQL first would be a fault that Patroni answers; Patroni stops it in good order.
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

  /** Process id of the running server; the file outlives one that was killed. */
  async #postmaster(): Promise<number | undefined> {
    const text = await readFile(join(this.#dataFolder, 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number.parseInt(text, 10);
    if (Number.isNaN(pid)) {
      return undefined;
    }
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return commandLine.includes(this.#dataFolder) ? pid : undefined;
  }

  /** Patroni's configuration. infra/docs/high-availability.md explains what is set; YAML reads JSON. */
  #config(): unknown {
    const { name, folder, password, durability, times } = this.#plan;
    const { etcd, peerPostgres, peerRest } = this.#links;
    return {
      scope: 'penstock',
      name,
      restapi: { listen: `127.0.0.1:${this.#ports.rest}`, connect_address: `127.0.0.1:${peerRest.port}` },
      // Without use_proxies Patroni would ask etcd for its own addresses and go there past the proxy.
      etcd3: { hosts: [`127.0.0.1:${etcd.port}`], use_proxies: true },
      bootstrap: {
        dcs: {
          ttl: times.ttl_s,
          loop_wait: times.loopWaitS,
          retry_timeout: times.retryTimeoutS,
          // A server that crashed is not waited for: the standby takes over at once.
          primary_start_timeout: 0,
          synchronous_mode: durability !== 'asynchronous',
          synchronous_mode_strict: durability === 'strict',
          // The tests of the asynchronous pair lose a tail on purpose, of any length.
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
