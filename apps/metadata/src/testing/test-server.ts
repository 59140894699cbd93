// The service in the test's own process, on free ports.
import { MERGE_POLICY, NEWEST_RULES } from '@penstock/metadata-core';
import { cellUrls } from '@penstock/platform';
import { DEFAULT_BUDGET } from '../budgets/call-budgets.ts';
import { type MetadataServer, startServer } from '../server.ts';
import { ORPHAN_AGE_MS, type Settings } from '../settings.ts';
import { silentLogger } from './cluster-fixture.ts';
import { ADMIN_KEYS, BROWSE_KEYS, PEER_KEYS } from './control-plane-fixture.ts';

export function startTestServer(databaseUrl: string, leaseTtlMs = 5_000, memoryMib = 65_536): Promise<MetadataServer> {
  return startServer({ ...testSettings(databaseUrl), leaseTtlMs, memoryMib }, silentLogger);
}

export function testSettings(databaseUrl: string): Settings {
  return {
    databaseUrl,
    cells: cellUrls(databaseUrl, {}),
    port: 0,
    tls: undefined,
    httpPort: 0,
    host: undefined,
    drainSeconds: 0,
    metricsToken: undefined,
    advertisedUrl: undefined,
    adminListen: { host: '127.0.0.1', port: 0 },
    adminTls: undefined,
    adminAdvertisedUrl: undefined,
    adminKeys: ADMIN_KEYS,
    browseKeys: BROWSE_KEYS,
    peerKeys: PEER_KEYS,
    trustedProxies: [],
    leaseTtlMs: 5_000,
    initialRebalanceDelayMs: 0,
    raiseRulesTo: NEWEST_RULES,
    journalKeptMs: 0,
    restoreWindowMs: 0,
    orphanAgeMs: ORPHAN_AGE_MS,
    mergeWindowMs: MERGE_POLICY.windowMs,
    memoryMib: 65_536,
    stateBudget: {},
    budgets: { default: DEFAULT_BUDGET, trial: DEFAULT_BUDGET, clusters: new Map() },
    logLevel: 'silent',
    traces: undefined,
  };
}
