// The worker program.
import { AppError, createLogger, exitOnSignals } from '@penstock/platform';
import { readSettings } from './settings.ts';
import { startWorker } from './worker.ts';

const logger = createLogger({ name: 'worker' });

try {
  const settings = readSettings(process.env);
  const { leave, close } = await startWorker(settings);
  exitOnSignals({ logger, drainSeconds: settings.drainSeconds, leave, close });
} catch (error) {
  if (error instanceof AppError) {
    logger.fatal(`${error.message} ${error.remedy ?? ''}`);
  } else {
    logger.fatal({ err: error }, 'The worker could not start');
  }
  process.exit(1);
}
