// What is possible at all: a bare HTTP server that asks PostgreSQL for one row with each request, through the driver's pool and a
// prepared statement, and answers with it. No key, no permission, no tenant. A process of its own, as the web app is.
import { createServer } from 'node:http';
import { Pool } from 'pg';

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });

const server = createServer((_request, response) => {
  pool.query({ name: 'floor', text: 'SELECT id, name FROM organization LIMIT 1' }).then(
    ({ rows }) => {
      const body = JSON.stringify(rows[0]);
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
        .end(body);
    },
    (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
  );
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit(0));
