// One metadata process: the RPC over HTTP/2, and health and metrics over HTTP/1.1 on a port of its own, because Node's cleartext
// HTTP/2 server cannot speak both.
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { Http2SecureServer, Http2Server, ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Code, ConnectError } from '@connectrpc/connect';
import { compressionGzip, connectNodeAdapter } from '@connectrpc/connect-node';
import { MERGE_POLICY } from '@penstock/metadata-core';
import {
  CellDeadFiles,
  CellJournal,
  CellLeases,
  Homes,
  PostgresCellDirectory,
  PostgresProcesses,
  PostgresStops,
} from '@penstock/metadata-journal';
import { createProxyWatch, type Logger, SchemaWatch } from '@penstock/platform';
import { ReportStore } from '@penstock/telemetry-store';
import { AgentAddresses } from './auth/agent-addresses.ts';
import { AgentKeys } from './auth/agent-keys.ts';
import { peerValues } from './auth/caller-address.ts';
import { tokenGate } from './auth/internal-gate.ts';
import { KeyDeeds } from './auth/key-deeds.ts';
import { MessageBrowserKeys } from './auth/message-browser-keys.ts';
import { peerSecretsOf, recentPeerSecret } from './auth/peer-secrets.ts';
import { BytesInFlight, byteLimitsOf } from './budgets/bytes-in-flight.ts';
import { CallBudgets } from './budgets/call-budgets.ts';
import { FairQueue } from './budgets/fair-queue.ts';
import { MAX_ADMIN_BYTES } from './budgets/request-limits.ts';
import { Tenants } from './budgets/tenants.ts';
import { answerHealth } from './health.ts';
import { ADMIN_PORT, AGENT_PORT, createHttp2Listener } from './http2-listener.ts';
import { MemoryGuard } from './memory/memory-guard.ts';
import { StateBudget } from './memory/state-budget.ts';
import { Balancer } from './owners/balance/balancer.ts';
import { systemClock } from './owners/clock.ts';
import { PostgresClusterDirectory } from './owners/cluster-directory.ts';
import { randomIds } from './owners/ids.ts';
import { LeaseThread } from './owners/lease-thread/lease-thread.ts';
import { Owners } from './owners/owners.ts';
import { PatternThread } from './owners/patterns/pattern-thread.ts';
import { splitJournal } from './owners/split-journal.ts';
import { closePools, openPools } from './pools.ts';
import { ReplicationWatch } from './replication-watch.ts';
import { registerAdminService } from './rpc/admin-service.ts';
import { cutOffKey, cutOffOf } from './rpc/cut-off.ts';
import { listsInJson } from './rpc/long-list.ts';
import { WITHOUT_UNKNOWN_FIELDS } from './rpc/messages/parse-message.ts';
import { metadataService } from './rpc/metadata-service.ts';
import { refuseWhileStarting, serveStreams } from './rpc/plain-calls.ts';
import { RpcMeter } from './rpc/rpc-meter.ts';
import type { Settings } from './settings.ts';
import { StallMeter } from './stall-meter.ts';
import type { Traces } from './traces/traces.ts';

/** The most open calls of one agent: its streams, parked group calls and commits. */
const MAX_STREAMS_PER_CONNECTION = 20_000;
/** Lets a commit of thousands of runs arrive without waiting for window updates; HTTP/2's default is 64 KiB. */
const STREAM_WINDOW_BYTES = 1024 * 1024;
const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;
/** Node's default of 10 MB would refuse calls of a busy agent whose watch stream is behind. */
const MAX_CONNECTION_MEMORY_MB = 128;

export interface MetadataServer {
  rpcUrl: string;
  /** Where the web app and the worker reach it. */
  adminUrl: string;
  httpUrl: string;
  /** From now on /readyz answers 503. Calls are served as before. */
  leave(): void;
  /** Finishes calls in progress, releases the leases and closes. */
  close(): Promise<void>;
}

export async function startServer(settings: Settings, logger: Logger): Promise<MetadataServer> {
  const pools = openPools(settings, logger);
  const homes = new Homes(new PostgresCellDirectory(pools.directory));

  const rpcListener = await createHttp2Listener({
    port: AGENT_PORT,
    tls: settings.tls,
    logger,
    http2: {
      settings: { maxConcurrentStreams: MAX_STREAMS_PER_CONNECTION, initialWindowSize: STREAM_WINDOW_BYTES },
      maxSessionMemory: MAX_CONNECTION_MEMORY_MB,
    },
  });
  const rpc = rpcListener.server;
  const adminListener = await createHttp2Listener({ port: ADMIN_PORT, tls: settings.adminTls, logger });
  const admin = adminListener.server;
  const sessions = new Set<ServerHttp2Session>();
  for (const server of [rpc, admin]) {
    server.on('session', (session) => {
      sessions.add(session);
      session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
      session.on('close', () => sessions.delete(session));
      session.on('error', (error) => logger.debug({ err: error }, 'an RPC connection failed'));
    });
    server.on('stream', refuseWhileStarting);
  }
  // The ports must be known before there are leases, which contain them.
  const port = await listen(rpc, settings.port, settings.host);
  const rpcUrl = settings.advertisedUrl ?? `${rpcListener.scheme}://127.0.0.1:${port}`;
  const adminPort = await listen(admin, settings.adminListen.port, settings.adminListen.host);
  const adminUrl = settings.adminAdvertisedUrl ?? `${adminListener.scheme}://127.0.0.1:${adminPort}`;

  const ownerId = randomUUID();
  const owner = { ownerId, ownerUrl: rpcUrl, adminUrl };
  // The tracing modules are loaded only when tracing is enabled.
  const traces: Traces | undefined =
    settings.traces === undefined
      ? undefined
      : (await import('./traces/sdk-traces.ts')).startSdkTraces({
          settings: settings.traces,
          logger,
          instanceId: ownerId,
        });
  const keeper = new LeaseThread({
    cells: settings.cells,
    owner,
    ttlMs: settings.leaseTtlMs,
    clock: systemClock,
    logger,
  });
  await keeper.started;
  const tenants = new Tenants();
  const turns = new FairQueue(() => performance.now());
  const patterns = new PatternThread({ clock: systemClock, shareOf: (cluster) => tenants.of(cluster) });
  const memory = new MemoryGuard({ memoryMib: settings.memoryMib, logger });
  const stateBudget = new StateBudget({
    memoryMib: settings.memoryMib,
    ...settings.stateBudget,
    usedBytes: () => memory.usedBytes,
    monotonicMs: () => systemClock.monotonicMs(),
  });
  let isLeaving = false;
  const holders = new CellLeases(pools.recovery, new PostgresCellDirectory(pools.directory));
  const owners: Owners = new Owners({
    journal: splitJournal(new CellJournal(pools.appends, homes), new CellJournal(pools.recovery, homes)),
    keeper,
    holder: async (clusterId) => {
      const holder = await holders.holder(clusterId);
      // Our own lease, of an owner that is about to close.
      return holder?.ownerUrl === rpcUrl ? undefined : holder;
    },
    stops: new PostgresStops(pools.directory),
    directory: new PostgresClusterDirectory(pools.directory),
    clock: systemClock,
    ids: randomIds,
    logger,
    traces,
    journalKeptMs: settings.journalKeptMs,
    deadFiles: new CellDeadFiles(pools.recovery, homes),
    restoreWindowMs: settings.restoreWindowMs,
    raiseRulesTo: settings.raiseRulesTo,
    initialRebalanceDelayMs: settings.initialRebalanceDelayMs,
    jobPlanSecrets: settings.peerKeys,
    mergePolicy: { ...MERGE_POLICY, windowMs: settings.mergeWindowMs },
    refusal: () => balancer.refusal() ?? memory.refusal(),
    stateBudget,
    patterns,
    turn: (cluster) => turns.enter(tenants.of(cluster)),
  });
  const balancer = new Balancer({
    processes: new PostgresProcesses(pools.directory),
    owner,
    clusters: owners,
    isAccepting: () => !isLeaving && keeper.obstacle === undefined && memory.obstacle === undefined,
    clock: systemClock,
    logger,
  });
  const schema = new SchemaWatch(pools.directory);
  const replication = new ReplicationWatch(
    new Map(pools.recovery.names.map((cell) => [cell, pools.recovery.pool(cell)])),
    systemClock,
    logger,
  );
  const keys = new AgentKeys({
    pool: pools.keys,
    monotonicMs: () => systemClock.monotonicMs(),
    onUseNotRecorded: (error) => logger.warn({ err: error }, 'the last use of an agent key was not written down'),
  });
  const addresses = new AgentAddresses({
    pool: pools.keys,
    monotonicMs: () => systemClock.monotonicMs(),
    onNotRecorded: (error) => logger.warn({ err: error }, 'the last use of an agent address was not written down'),
  });
  const deeds = new KeyDeeds({
    pool: pools.keys,
    clock: systemClock,
    nowMs: () => systemClock.nowMs(),
    onNotRecorded: (error) => logger.warn({ err: error }, 'what clients did with records and offsets was not counted'),
  });
  const nowMs = (): number => {
    if (!keeper.hasTime) {
      throw new ConnectError('the clock of the database has not been read yet', Code.Unavailable);
    }
    return keeper.nowMs();
  };
  const reports = new ReportStore({
    pool: pools.telemetry,
    nowMs,
    onNotRecorded: (error) => logger.warn({ err: error }, 'something about a telemetry report was not written down'),
  });
  const messageBrowserKeys = new MessageBrowserKeys(settings.browseKeys);
  const onDefect = (error: unknown, method: string): void => logger.error({ err: error, method }, 'call failed');
  const monotonicMs = (): number => systemClock.monotonicMs();
  const bytesInFlight = new BytesInFlight(byteLimitsOf(settings.memoryMib));
  const stalls = new StallMeter();
  const calls = new RpcMeter(monotonicMs);
  const budgets = new CallBudgets(settings.budgets, monotonicMs);
  const agents = metadataService({
    owners,
    keys,
    addresses,
    deeds,
    budgets,
    turns,
    tenants,
    bytesInFlight,
    clock: systemClock,
    trustedProxies: settings.trustedProxies,
    reports,
    nowMs,
    messageBrowserKeys,
    peerSecrets: (clusterId, atMs) => peerSecretsOf(settings.peerKeys, clusterId, atMs),
    peerSecret: (clusterId, id, atMs) => recentPeerSecret(settings.peerKeys, clusterId, id, atMs),
    onDefect,
    orphanAgeMs: settings.orphanAgeMs,
    leaseTtlMs: settings.leaseTtlMs,
    traces,
  });
  const watchProxies = createProxyWatch(settings.trustedProxies, (message) => logger.error(message));
  const limits = {
    // Brotli bodies are not accepted: no caller needs them, and Brotli decoders have had vulnerabilities.
    acceptCompression: [compressionGzip],
    readMaxBytes: MAX_ADMIN_BYTES,
    grpcWeb: false,
    binaryOptions: WITHOUT_UNKNOWN_FIELDS,
    interceptors: [calls.interceptor, listsInJson],
  };
  const adapter = connectNodeAdapter({
    ...limits,
    routes: (router) => agents.register(router),
    contextValues: (request) => {
      const { socket, headers } = request;
      watchProxies(socket?.remoteAddress, headers['x-forwarded-for'], systemClock.monotonicMs());
      return peerValues(socket).set(cutOffKey, cutOffOf(request));
    },
  });
  const { plainCalls } = agents;
  const adminAdapter = connectNodeAdapter({
    ...limits,
    routes: (router) => {
      const gate = tokenGate(settings.adminKeys, nowMs);
      registerAdminService(router, { owners, gate, onDefect });
    },
  });
  admin.off('stream', refuseWhileStarting);
  admin.on('request', adminAdapter);
  rpc.off('stream', refuseWhileStarting);
  rpc.on('stream', serveStreams({ plainCalls, adapter, meter: calls, onDefect }));

  const http = createHttpServer(
    (request, response) =>
      void answerHealth(
        {
          isLeaving: () => isLeaving,
          owners,
          balancer,
          keys,
          budgets,
          bytesInFlight,
          patterns,
          stalls,
          calls,
          turns,
          keeper,
          memory,
          stateBudget,
          pools,
          schema,
          reports,
          replication,
          traces,
          metricsToken: settings.metricsToken,
        },
        request,
        response,
      ),
  );
  const httpPort = await listen(http, settings.httpPort, settings.host);

  return {
    rpcUrl,
    adminUrl,
    httpUrl: `http://127.0.0.1:${httpPort}`,
    leave: () => {
      isLeaving = true;
    },
    close: async () => {
      isLeaving = true;
      replication.stop();
      stalls.stop();
      rpcListener.stop();
      adminListener.stop();
      await balancer.stop();
      await owners.shutDown();
      // Streams have ended and calls are answered, so connections that are still open are idle.
      for (const session of sessions) {
        session.close();
      }
      await Promise.all([
        closed(rpc, () => forceClose(sessions)),
        closed(admin, () => forceClose(sessions)),
        closed(http, () => http.closeAllConnections()),
      ]);
      await patterns.stop();
      await reports.close();
      await deeds.flush();
      await closePools(pools);
      await traces?.stop();
    },
  };
}

/** How long to wait for connections to close by themselves. */
const CLOSE_GRACE_MS = 2_000;

async function listen(server: Server | Http2Server | Http2SecureServer, port: number, host?: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

function forceClose(sessions: Iterable<ServerHttp2Session>): void {
  for (const session of sessions) {
    session.destroy();
  }
}

async function closed(server: Server | Http2Server | Http2SecureServer, force: () => void): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(force, CLOSE_GRACE_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
