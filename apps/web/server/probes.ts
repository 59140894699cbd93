// /healthz: the process runs. /readyz: it takes requests, and the database answers and has the schema of this version.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Database } from '@penstock/database/client';
import { SchemaWatch } from '@penstock/platform';

export interface Probes {
  /** Answers the request if it is a probe. @returns whether it was one */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** From now on /readyz says that this process leaves, so that load balancers send requests elsewhere. */
  leave(): void;
}

/** @param database a client of a role that may read the list of migrations */
export function createProbes(database: Pick<Database, '$queryRawUnsafe'>): Probes {
  const schema = new SchemaWatch({
    query: async (text, values = []) => ({
      rows: await database.$queryRawUnsafe<Record<string, unknown>[]>(text, ...values),
    }),
  });
  let isLeaving = false;

  const obstacle = async (): Promise<string | undefined> => {
    if (isLeaving) {
      return 'shutting down';
    }
    try {
      await database.$queryRawUnsafe('SELECT 1');
      return await schema.obstacle();
    } catch {
      return 'the database does not answer';
    }
  };

  return {
    answer: ({ url }, response) => {
      const path = url?.split('?')[0];
      if (path === '/healthz') {
        send(response, 200, 'ok');
        return true;
      }
      if (path === '/readyz') {
        void obstacle().then((problem) => send(response, problem === undefined ? 200 : 503, problem ?? 'ready'));
        return true;
      }
      return false;
    },
    leave: () => {
      isLeaving = true;
    },
  };
}

function send(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .end(`${text}\n`);
}
