// Serves the built app: Next behind a server of our own, which notes who has connected. Throttles count by that address.
// Usage: node serve.ts --port <port> [--hostname <address>]
import { once } from 'node:events';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import next from 'next';
import { noteHop } from './server/note-hop.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '3000' }, hostname: { type: 'string', default: '0.0.0.0' } },
});
const port = Number(values.port);

const app = next({ dev: false, dir: import.meta.dirname, hostname: values.hostname, port });
await app.prepare();
const handle = app.getRequestHandler();

const server = createServer((request, response) => {
  request.headers['x-forwarded-for'] = noteHop(request.headers['x-forwarded-for'], request.socket.remoteAddress);
  handle(request, response).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    response.destroy();
  });
});
server.listen(port, values.hostname);
await once(server, 'listening');
process.stdout.write(`Serving on http://${values.hostname}:${port}\n`);

/** How long an answer that is under way may take after the signal to end. */
const drain_ms = 2_000;

/** Answers what is under way, then ends. Streams would go on for ever: they are cut after a while, and browsers come back. */
async function stop(): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), drain_ms);
  await closed;
  await app.close();
  process.exit(0);
}

process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
