// /healthz: the process runs. /metrics: what `worker-metrics.ts` exposes. /readyz: the worker accepts jobs, and the database answers and has the schema of this version.
import { createServer, type Server } from 'node:http';
import { answerMetrics, type MetricsAnswer, type SchemaWatch } from '@penstock/platform';
import type { Pool } from 'pg';

export interface HealthServerOptions {
  address: { port: number; host: string | undefined };
  pool: Pool;
  schema: Pick<SchemaWatch, 'obstacle'>;
  /** False before the queue runs and once the worker leaves. */
  isTakingJobs: () => boolean;
  metrics: MetricsAnswer;
}

export async function startHealthServer(options: HealthServerOptions): Promise<Server> {
  const { address, pool, schema, isTakingJobs, metrics } = options;
  const server = createServer((request, response) => {
    const answer = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`);
    };
    if (request.url === '/healthz') {
      return answer(200, 'ok');
    }
    if (request.url === '/metrics') {
      return void answerMetrics(metrics, request, response);
    }
    if (request.url !== '/readyz') {
      return answer(404, 'not found');
    }
    Promise.all([schema.obstacle(), pool.query('SELECT 1')]).then(
      ([missing]) => {
        const obstacle = missing ?? (isTakingJobs() ? undefined : 'no jobs are taken: the worker starts or shuts down');
        return obstacle === undefined ? answer(200, 'ok') : answer(503, obstacle);
      },
      () => answer(503, 'the database does not answer'),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  return server;
}
