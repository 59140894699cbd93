// The service in the test's own process, on free ports.
import { type MetadataServer, startServer } from '../server.ts';
import { silentLogger } from './cluster-fixture.ts';
import { INTERNAL_TOKEN } from './control-plane-fixture.ts';

export function startTestServer(databaseUrl: string, leaseTtlMs = 5_000): Promise<MetadataServer> {
  const settings = {
    databaseUrl,
    port: 0,
    httpPort: 0,
    advertisedUrl: undefined,
    internalToken: INTERNAL_TOKEN,
    leaseTtlMs,
    initialRebalanceDelayMs: 0,
    journalKeptMs: 0,
    logLevel: 'silent',
    traces: undefined,
  };
  return startServer(settings, silentLogger);
}
