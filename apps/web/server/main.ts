// The web program: one HTTP server. It serves the public API itself and passes everything else to Next.
import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { AppError, createLogger, createProxyWatch, parseEnv, portVariable } from '@penstock/platform';
import next from 'next';
import { z } from 'zod';
import { createBackend } from './create-backend.ts';
import { notePeer } from './note-peers.ts';
import { createProbes } from './probes.ts';
import { answerPublicApi, isPublicApi } from './public-api.ts';
import { answerUnreadable } from './unreadable-requests.ts';
import { replaceUnservableMethod } from './unservable-methods.ts';

const variables = {
  PENSTOCK_WEB_PORT: portVariable.default(3000),
  /** The address to listen on. */
  PENSTOCK_WEB_HOST: z.string().default('0.0.0.0'),
  /** How long requests are still taken after SIGTERM, while /readyz says no: longer than a load balancer takes to notice. */
  PENSTOCK_WEB_DRAIN_SECONDS: z.coerce.number().int().min(0).max(15).default(0),
};

/** Shorter than a supervisor's grace period before SIGKILL. */
const DRAIN_TIMEOUT_MS = 5_000;
/** How often idle connections are closed during shutdown. */
const IDLE_LOOK_MS = 100;

const logger = createLogger({ name: 'web' });

async function start(): Promise<void> {
  const {
    PENSTOCK_WEB_PORT: port,
    PENSTOCK_WEB_HOST: hostname,
    PENSTOCK_WEB_DRAIN_SECONDS: drainSeconds,
  } = parseEnv(variables, process.env);
  const backend = createBackend(process.env);
  const app = next({ dev: false, dir: path.join(import.meta.dirname, '..'), hostname, port });
  await app.prepare();
  const answerPage = app.getRequestHandler();
  const answerApi = answerPublicApi(backend);
  const probes = createProbes(backend.accounts);

  const watchProxies = createProxyWatch(backend.trustedProxies, (message) => logger.error(message));
  const server = createServer((request, response) => {
    if (probes.answer(request, response)) {
      return;
    }
    watchProxies(request.socket.remoteAddress, request.headers['x-forwarded-for'], Date.now());
    notePeer(request);
    replaceUnservableMethod(request);
    const answered = isPublicApi(request) ? answerApi(request, response) : answerPage(request, response);
    answered.catch((error: unknown) => {
      // Next and the API turn their errors into responses; an error here means that sending was interrupted.
      logger.warn({ err: error, method: request.method }, 'An answer was broken off');
      response.destroy();
    });
  });
  server.on('clientError', answerUnreadable);
  server.listen(port, hostname);
  await once(server, 'listening');
  logger.info({ address: server.address() }, 'Listening');

  let isLeaving = false;
  const leave = (signal: NodeJS.Signals): void => {
    if (isLeaving) {
      return;
    }
    isLeaving = true;
    probes.leave();
    logger.info({ signal, drainSeconds }, 'Leaving after the requests in hand');
    setTimeout(close, drainSeconds * 1_000);
  };
  const close = (): void => {
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
    // Streams end only when the server ends them; their clients reconnect to another process.
    const rest = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(rest);
      Promise.all([app.close(), backend.close()]).then(
        () => process.exit(0),
        (error: unknown) => {
          logger.fatal({ err: error }, 'Could not leave in order');
          process.exit(1);
        },
      );
    });
  };
  process.on('SIGTERM', leave);
  process.on('SIGINT', leave);
}

start().catch((error: unknown) => {
  if (error instanceof AppError) {
    logger.fatal(`${error.message} ${error.remedy ?? ''}`);
  } else {
    logger.fatal({ err: error }, 'The web app could not start');
  }
  process.exit(1);
});
