// Starts one metadata process, and shuts it down in an orderly way on SIGTERM or SIGINT.
import { AppError, createLogger } from '@penstock/platform';
import { startServer } from './server.ts';
import { readSettings, type Settings } from './settings.ts';

/** Calls in progress have this long to finish before the process exits. What was acknowledged is durable in any case. */
const SHUTDOWN_TIMEOUT_MS = 20_000;

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (!(error instanceof AppError)) {
      throw error;
    }
    process.stderr.write(`${error.message} ${error.remedy ?? ''}\n`);
    process.exit(2);
  }
}

const settings = settingsOrExit();
const logger = createLogger({ name: 'metadata', level: settings.logLevel });
const server = await startServer(settings, logger);
logger.info({ rpcUrl: server.rpcUrl, adminUrl: server.adminUrl, httpUrl: server.httpUrl }, 'metadata service ready');

let isStopping = false;
async function stop(signal: NodeJS.Signals): Promise<void> {
  if (isStopping) {
    return;
  }
  isStopping = true;
  logger.info({ signal }, 'stopping');
  setTimeout(() => {
    logger.error('work under way did not end in time');
    process.exit(1);
  }, SHUTDOWN_TIMEOUT_MS).unref();
  await server.close();
  logger.info('stopped');
  process.exit(0);
}
process.on('SIGTERM', (signal) => void stop(signal));
process.on('SIGINT', (signal) => void stop(signal));
