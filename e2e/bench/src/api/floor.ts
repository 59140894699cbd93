// The lower bound: a bare HTTP server that queries one row from PostgreSQL per request, through the driver's pool and a prepared statement,
// and returns it. No key, no permission, no tenant. Runs as a separate process, like the web app.
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
