// PostgreSQL as companies run it: two servers under Patroni, etcd for the leader key, and HAProxy in front, which follows the primary. One
// etcd is enough for the tests; production needs three (infra/docs/high-availability.md).

import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@penstock/servers/free-port';
import { type ServerAccount, serverAccount } from '@penstock/servers/postgres-binaries';
import { HAPROXY } from '../../../infra/local/tools.ts';
import { until } from '../../clients/support/run.ts';
import { type Daemon, lastLines, startDaemon } from './daemon.ts';
import type { Durability, PatroniTimes } from './patroni.types.ts';
import { PatroniNode, type Side } from './patroni-node.ts';

/** The values that infra/docs/high-availability.md recommends. */
export const advisedTimes: PatroniTimes = { ttl_s: 20, loopWaitS: 5, retryTimeoutS: 5 };

export interface PatroniPairOptions {
  durability: Durability;
  times?: PatroniTimes;
}

export class PatroniPair {
  /** The superuser's URL through HAProxy, which follows the primary. */
  readonly databaseUrl: string;
  readonly #nodes: readonly [PatroniNode, PatroniNode];
  readonly #durability: Durability;
  readonly #folder: string;
  readonly #others: readonly Daemon[];

  private constructor(parts: {
    databaseUrl: string;
    nodes: readonly [PatroniNode, PatroniNode];
    durability: Durability;
    folder: string;
    others: readonly Daemon[];
  }) {
    this.databaseUrl = parts.databaseUrl;
    this.#nodes = parts.nodes;
    this.#durability = parts.durability;
    this.#folder = parts.folder;
    this.#others = parts.others;
  }

  /** Starts everything and resolves when the standby replicates. `stop` stops it and removes its data. */
  static async start({ durability, times = advisedTimes }: PatroniPairOptions): Promise<PatroniPair> {
    const folder = await mkdtemp(join(tmpdir(), 'penstock-failover-'));
    // PostgreSQL's own account must be able to traverse the folder.
    await chmod(folder, 0o711);
    const account = await serverAccount();
    const password = randomBytes(16).toString('hex');
    const etcd = await startEtcd(folder, account);
    const prepare = (name: string): Promise<PatroniNode> =>
      PatroniNode.prepare({
        name,
        folder: join(folder, name),
        account,
        etcdUrl: etcd.url,
        password,
        durability,
        times,
      });
    const nodes = [await prepare('one'), await prepare('two')] as const;
    const proxy = await startHaproxy(folder, account, nodes);
    const pair = new PatroniPair({
      databaseUrl: `postgresql://postgres:${password}@127.0.0.1:${proxy.port}/postgres`,
      nodes,
      durability,
      folder,
      others: [proxy.daemon, etcd.daemon],
    });
    try {
      // In sequence: the first creates the database, the second copies it.
      await nodes[0].start();
      await pair.untilPrimary(nodes[0]);
      await nodes[1].start();
      await pair.untilWhole();
      return pair;
    } catch (error) {
      await pair.stop();
      throw error;
    }
  }

  /** The node that Patroni reports as primary; undefined when there is none. */
  async primary(): Promise<PatroniNode | undefined> {
    const answers = await Promise.all(this.#nodes.map((node) => node.answers('/primary')));
    const primaries = this.#nodes.filter((_, index) => answers[index] === true);
    return primaries.length === 1 ? primaries[0] : undefined;
  }

  otherThan(node: PatroniNode): PatroniNode {
    const [one, two] = this.#nodes;
    return node === one ? two : one;
  }

  async untilPrimary(node: PatroniNode): Promise<void> {
    await this.#until(`PostgreSQL ${node.name} is primary`, () => node.answers('/primary'));
  }

  /** Resolves when there are a primary and a replicating standby; in a synchronous pair, one that has every commit. */
  async untilWhole(): Promise<PatroniNode> {
    let primary: PatroniNode | undefined;
    await this.#until('the standby follows the primary', async () => {
      primary = await this.primary();
      if (primary === undefined) {
        return false;
      }
      return await this.otherThan(primary).answers(this.#durability === 'asynchronous' ? '/replica' : '/sync');
    });
    if (primary === undefined) {
      throw new Error('There is no primary');
    }
    return primary;
  }

  /** Isolates a node on some paths; `mend` undoes it. */
  cut(node: PatroniNode, sides: readonly Side[]): void {
    node.cut(sides);
    // The node's own connections to its peer arrive there.
    if (sides.includes('peer')) {
      this.otherThan(node).cut(['peer']);
    }
  }

  mend(): void {
    for (const node of this.#nodes) {
      node.mend();
    }
  }

  async stop(): Promise<void> {
    this.mend();
    await Promise.all(this.#nodes.map((node) => node.stop()));
    await Promise.all(this.#others.map((daemon) => daemon.stop()));
    if (process.env['PENSTOCK_E2E_KEEP'] === undefined) {
      await rm(this.#folder, { recursive: true, force: true });
    }
  }

  async #until(what: string, condition: () => Promise<boolean>): Promise<void> {
    try {
      await until(what, condition);
    } catch (error) {
      const logs = await Promise.all(
        this.#nodes.map(({ name, logFile }) => lastLines(logFile).then((lines) => `${name}:\n${lines}`)),
      );
      throw new Error(`${(error as Error).message}\n${logs.join('\n')}`, { cause: error });
    }
  }
}

async function startEtcd(folder: string, account: ServerAccount | undefined): Promise<{ daemon: Daemon; url: string }> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peerUrl = `http://127.0.0.1:${await freePort()}`;
  const dataFolder = join(folder, 'etcd');
  await mkdir(dataFolder, { mode: 0o700 });
  if (account !== undefined) {
    await chown(dataFolder, account.uid, account.gid);
  }
  const flags = {
    name: 'etcd',
    'data-dir': dataFolder,
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `etcd=${peerUrl}`,
  };
  const logFile = join(folder, 'etcd.log');
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const daemon = await startDaemon({ command: 'etcd', args, logFile, account });
  await untilReady(daemon, 'etcd', logFile, () =>
    fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { daemon, url };
}

async function startHaproxy(
  folder: string,
  account: ServerAccount | undefined,
  nodes: readonly PatroniNode[],
): Promise<{ daemon: Daemon; port: number }> {
  const port = await freePort();
  const configFile = join(folder, 'haproxy.cfg');
  await writeFile(configFile, haproxyConfig(port, nodes));
  const logFile = join(folder, 'haproxy.log');
  const args = ['-db', '-f', configFile];
  const daemon = await startDaemon({ command: HAPROXY, args, logFile, account });
  return { daemon, port };
}

/** As in infra/docs/high-availability.md: only the primary gets sessions, and a former primary's sessions are closed. */
function haproxyConfig(port: number, nodes: readonly PatroniNode[]): string {
  const servers = nodes.map(
    ({ name, clientPorts }) => `  server ${name} 127.0.0.1:${clientPorts.postgres} check port ${clientPorts.rest}\n`,
  );
  return `defaults
  mode tcp
  maxconn 1000
  timeout connect 2s
  timeout check 5s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 2s fall 3 rise 1 on-marked-down shutdown-sessions
${servers.join('')}`;
}

async function untilReady(
  daemon: Daemon,
  name: string,
  logFile: string,
  isReady: () => Promise<boolean>,
): Promise<void> {
  await until(`${name} is ready`, async () => {
    if (!daemon.isRunning()) {
      throw new Error(`${name} ended:\n${await lastLines(logFile)}`);
    }
    return await isReady();
  });
}
