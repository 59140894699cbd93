// The reference topologies of infra/docs/agents-port.md: HAProxy with one port and a name per metadata process, which passes TLS through or
// ends it. One process is killed while agents commit, and an idle watch stream outlives the proxy's time-outs.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { SecureClientSessionOptions } from 'node:http2';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { freePort } from '@penstock/servers/free-port';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectAgent } from '../../apps/metadata/src/testing/agent-client.ts';
import { CommittingAgents, OwnerFollower } from '../../apps/metadata/src/testing/committing-agents.ts';
import { type ClusterWithKey, ControlPlaneFixture } from '../../apps/metadata/src/testing/control-plane-fixture.ts';
import { ServiceProcess } from '../../apps/metadata/src/testing/service-process.ts';
import { HAPROXY } from '../../infra/local/tools.ts';
import { TestAuthority } from '../support/src/certificates.ts';

const NAMES = ['m1.metadata.test', 'm2.metadata.test'];
/** The proxy closes connections that are silent for this long. */
const IDLE_MS = 10_000;
const LEASE_TTL_MS = 5_000;
/** For hangs; far above what the test takes. */
const WAIT = { timeout: 240_000, interval: 20 };

let controlPlane: ControlPlaneFixture;
let authority: TestAuthority;
let folder: string;
let files: { certFile: string; keyFile: string };
let session: SecureClientSessionOptions;
let topology: Topology;

interface Topology {
  cluster: ClusterWithKey;
  urls: string[];
  processes: ServiceProcess[];
  proxy: ChildProcess;
}

/** Every name is this machine. */
const lookup: LookupFunction = (_host, { all }, callback) =>
  all === true ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);

beforeAll(async () => {
  [controlPlane, authority] = await Promise.all([ControlPlaneFixture.create(), TestAuthority.create()]);
  folder = await mkdtemp(join(tmpdir(), 'penstock-agents-port-'));
  files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  session = { ca: await readFile(authority.certFile), lookup };
});

afterEach(async () => {
  await Promise.all(topology.processes.map((process) => process.end()));
  topology.proxy.kill();
  await once(topology.proxy, 'exit');
});

afterAll(async () => {
  await Promise.all([controlPlane.drop(), authority.remove(), rm(folder, { recursive: true })]);
});

async function start(endsTls: boolean): Promise<Topology> {
  await install('first');
  const [port, ...ports] = [await freePort(), await freePort(), await freePort()];
  const urls = NAMES.map((name) => `https://${name}:${port}`);
  const configFile = join(folder, 'haproxy.cfg');
  if (endsTls) {
    const pem = await Promise.all([readFile(files.certFile), readFile(files.keyFile)]);
    await writeFile(join(folder, 'haproxy.pem'), Buffer.concat(pem));
  }
  await writeFile(configFile, endsTls ? endingTls(port, ports) : passingThrough(port, ports));
  const proxy = spawn(HAPROXY, ['-db', '-f', configFile], { stdio: ['ignore', 'inherit', 'inherit'] });
  const tls = { PENSTOCK_METADATA_TLS_CERT: files.certFile, PENSTOCK_METADATA_TLS_KEY: files.keyFile };
  const processes = await Promise.all(
    urls.map((url, at) =>
      ServiceProcess.start(controlPlane.database.ownerUrl, LEASE_TTL_MS, {
        env: {
          PENSTOCK_METADATA_PORT: String(ports[at]),
          PENSTOCK_METADATA_ADVERTISED_URL: url,
          ...(endsTls ? { PENSTOCK_TRUSTED_PROXIES: '127.0.0.1' } : tls),
        },
      }),
    ),
  );
  return { cluster: await controlPlane.createCluster(), urls, processes, proxy };
}

// Both as in infra/docs/agents-port.md, with short time-outs.
function defaults(mode: string): string {
  return `defaults
  mode ${mode}
  timeout connect 3s
  timeout client ${IDLE_MS}ms
  timeout server ${IDLE_MS}ms
`;
}

function passingThrough(port: number, ports: readonly number[]): string {
  return `${defaults('tcp')}frontend agents
  bind 127.0.0.1:${port}
  tcp-request inspect-delay 5s
  tcp-request content accept if { req.ssl_hello_type 1 }
${NAMES.map((name) => `  use_backend ${name} if { req.ssl_sni -i ${name} }\n`).join('')}${backends(ports)}`;
}

function endingTls(port: number, ports: readonly number[]): string {
  return `global
  tune.h2.max-concurrent-streams 1000
  tune.h2.initial-window-size 1048576
${defaults('http')}frontend agents
  bind 127.0.0.1:${port} ssl crt ${join(folder, 'haproxy.pem')} alpn h2
  option forwardfor
${NAMES.map((name) => `  use_backend ${name} if { hdr(host),host_only -i ${name} }\n`).join('')}${backends(ports, 'proto h2')}`;
}

function backends(ports: readonly number[], options = ''): string {
  return NAMES.map((name, at) => `backend ${name}\n  server ${name} 127.0.0.1:${ports[at]} ${options}\n`).join('');
}

async function install(name: string): Promise<void> {
  const issued = await authority.issue(name, NAMES);
  await copyFile(issued.keyFile, files.keyFile);
  await copyFile(issued.certFile, files.certFile);
}

/** The name in the certificate that agents are shown. */
async function certificateAt(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const { ca } = session;
  const socket = connect({ host: '127.0.0.1', port: Number(port), servername: hostname, ca, ALPNProtocols: ['h2'] });
  await once(socket, 'secureConnect');
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}

async function ownerUrl(): Promise<string> {
  const { rows } = await controlPlane.pool.query<{ owner_url: string }>(
    'SELECT owner_url FROM metadata_lease WHERE cluster_id = $1',
    [topology.cluster.clusterId],
  );
  return rows[0]?.owner_url ?? '';
}

/** Follows a watch stream on which nothing happens for twice the proxy's time-out. */
async function idleOnWatch(): Promise<void> {
  const { client, close } = connectAgent(await ownerUrl(), topology.cluster, session);
  const untilMs = performance.now() + 2 * IDLE_MS;
  for await (const { currentForMs } of client.watch({ agentId: 'idle' })) {
    expect(currentForMs).toBeGreaterThanOrEqual(0);
    if (performance.now() > untilMs) {
      close();
      return;
    }
  }
  throw new Error('the watch stream ended');
}

describe.each([
  ['passes TLS through', false],
  ['ends TLS', true],
])('behind a proxy that %s', (_how, endsTls) => {
  test('agents survive idle times and the death of a process', async () => {
    topology = await start(endsTls);
    const { cluster, urls, processes } = topology;
    const follower = new OwnerFollower(urls, cluster, session);
    const created = await follower.call((client) =>
      client.createTopics({ topics: [{ name: 'orders', partitions: 1 }] }),
    );
    await idleOnWatch();
    const agents = new CommittingAgents(follower, created.results[0]?.topicId ?? new Uint8Array(), 4, false, 5);
    const acknowledgedMore = async (count: number): Promise<void> => {
      const goal = agents.count + count;
      await vi.waitFor(() => expect(agents.count).toBeGreaterThanOrEqual(goal), WAIT);
    };
    await acknowledgedMore(100);
    if (!endsTls) {
      await install('second');
      await expect.poll(() => certificateAt(urls[1] ?? ''), WAIT).toBe('second');
    }
    const dead = urls.indexOf(await ownerUrl());
    agents.takeLongestGapMs();
    processes[dead]?.kill('SIGKILL');
    await acknowledgedMore(100);
    process.stdout.write(`owner killed behind HAProxy: longest gap ${agents.takeLongestGapMs().toFixed(0)} ms\n`);
    expect(urls.indexOf(await ownerUrl())).toBe(1 - dead);
    await agents.stop();
    const { lost, highWatermark } = await agents.audit();
    expect([lost, highWatermark]).toEqual([[], agents.acknowledged.size]);
    follower.close();
  });
});
