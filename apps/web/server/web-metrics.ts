// What the web app exposes to Prometheus.
import type { Backend } from '@penstock/api';
import { type Database, poolOf } from '@penstock/database/client';
import type { ProcessUsage } from '@penstock/platform';
import { poolFamilies, processFamilies, renderOpenMetrics } from '@penstock/telemetry';
import type { RequestMeter } from './request-meter.ts';

const PREFIX = 'penstock_web';

export function webMetrics(
  meter: Pick<RequestMeter, 'families'>,
  usage: ProcessUsage,
  { database, accounts, payments }: Pick<Backend, 'database' | 'accounts' | 'payments'>,
): string {
  const clients: [string, Database][] = [
    ['tenants', database],
    ['accounts', accounts],
    ['payments', payments],
  ];
  const pools = clients.flatMap(([name, client]) => {
    const pool = poolOf(client);
    if (pool === undefined) {
      return [];
    }
    const { totalCount, idleCount, waitingCount, options } = pool;
    return { name, totalCount, idleCount, waitingCount, options };
  });
  return renderOpenMetrics([...meter.families(), ...poolFamilies(PREFIX, pools), ...processFamilies(PREFIX, usage)]);
}
