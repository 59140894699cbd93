// The service in the test's own process, on free ports.
import { cellUrls } from '@penstock/platform';
import { type MetadataServer, startServer } from '../server.ts';
import { silentLogger } from './cluster-fixture.ts';
import { INTERNAL_TOKEN } from './control-plane-fixture.ts';

/** @param cells connection strings of the cells beside `main`, which is `databaseUrl` */
export function startTestServer(databaseUrl: string, cells: Record<string, string> = {}): Promise<MetadataServer> {
  const settings = {
    databaseUrl,
    cells: cellUrls(databaseUrl, cells),
    port: 0,
    httpPort: 0,
    advertisedUrl: undefined,
    internalToken: INTERNAL_TOKEN,
    leaseTtlMs: 5_000,
    initialRebalanceDelayMs: 0,
    journalKeptMs: 0,
    logLevel: 'silent',
    traces: undefined,
  };
  return startServer(settings, silentLogger);
}
