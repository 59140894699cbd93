// Starts one metadata process, and shuts it down in an orderly way on SIGTERM or SIGINT.
import { AppError, createLogger, exitOnSignals } from '@penstock/platform';
import { startServer } from './server.ts';
import { readSettings, type Settings } from './settings.ts';

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

exitOnSignals({
  logger,
  drainSeconds: settings.drainSeconds,
  leave: () => server.leave(),
  close: () => server.close(),
});
