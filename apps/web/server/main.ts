// The web program: one HTTP server. It serves the public API itself and passes everything else to Next.
import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import {
  AppError,
  createLogger,
  createProxyWatch,
  exitOnSignals,
  ProcessMeter,
  parseEnv,
  startMetricsServer,
} from '@penstock/platform';
import { OPENMETRICS_CONTENT_TYPE } from '@penstock/telemetry';
import next from 'next';
import { createBackend } from './create-backend.ts';
import { notePeer } from './note-peers.ts';
import { createProbes } from './probes.ts';
import { answerPublicApi, isPublicApi } from './public-api.ts';
import { RequestMeter } from './request-meter.ts';
import { serverVariables } from './settings.ts';
import { answerUnreadable } from './unreadable-requests.ts';
import { replaceUnservableMethod } from './unservable-methods.ts';
import { webMetrics } from './web-metrics.ts';

/** Requests in progress have this long to finish once the listener is closed. */
const OPEN_REQUESTS_LIMIT_MS = 5_000;
/** How often idle connections are closed during shutdown. */
const IDLE_LOOK_MS = 100;

const logger = createLogger({ name: 'web' });

async function start(): Promise<void> {
  const {
    PENSTOCK_WEB_PORT: port,
    PENSTOCK_WEB_HOST: hostname,
    PENSTOCK_WEB_DRAIN_SECONDS: drainSeconds,
    PENSTOCK_WEB_METRICS_PORT: metricsPort,
    PENSTOCK_WEB_METRICS_HOST: metricsHost,
    PENSTOCK_METRICS_TOKEN: metricsToken,
    PENSTOCK_WEB_ACCESS_LOG: hasAccessLog,
  } = parseEnv(serverVariables, process.env);
  const backend = createBackend(process.env);
  const app = next({ dev: false, dir: path.join(import.meta.dirname, '..'), hostname, port });
  await app.prepare();
  const answerPage = app.getRequestHandler();
  const answerApi = answerPublicApi(backend);
  const probes = createProbes(backend.accounts);

  const accessLog = logger.child({ part: 'access' });
  const meter = new RequestMeter({
    trustedProxies: backend.trustedProxies,
    monotonicMs: () => performance.now(),
    writeAccess: hasAccessLog ? (line) => accessLog.info(line, 'request') : undefined,
  });
  const usage = new ProcessMeter();
  const metrics =
    metricsPort === undefined
      ? undefined
      : await startMetricsServer(
          { port: metricsPort, host: metricsHost },
          {
            token: metricsToken,
            contentType: OPENMETRICS_CONTENT_TYPE,
            render: () => webMetrics(meter, usage.read(), backend),
            onFailure: (error) => logger.error({ err: error }, 'The metrics could not be read'),
          },
        );

  const watchProxies = createProxyWatch(backend.trustedProxies, (message) => logger.error(message));
  let isLeaving = false;
  const server = createServer((request, response) => {
    if (isLeaving) {
      // A proxy that keeps connections open must not send its next request on one that is about to close.
      response.setHeader('connection', 'close');
    }
    if (probes.answer(request, response)) {
      return;
    }
    watchProxies(request.socket.remoteAddress, request.headers['x-forwarded-for'], Date.now());
    notePeer(request);
    meter.follow(request, response);
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

  exitOnSignals({
    logger,
    drainSeconds,
    leave: () => {
      isLeaving = true;
      probes.leave();
    },
    close: async () => {
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
      // Streams end only when the server ends them; their clients reconnect to another process.
      const rest = setTimeout(() => server.closeAllConnections(), OPEN_REQUESTS_LIMIT_MS);
      await new Promise((resolve) => server.close(resolve));
      metrics?.close();
      clearInterval(idle);
      clearTimeout(rest);
      await Promise.all([app.close(), backend.close()]);
    },
  });
}

start().catch((error: unknown) => {
  if (error instanceof AppError) {
    logger.fatal(`${error.message} ${error.remedy ?? ''}`);
  } else {
    logger.fatal({ err: error }, 'The web app could not start');
  }
  process.exit(1);
});
