// The worker program.
import { AppError, createLogger } from '@penstock/platform';
import { readSettings } from './settings.ts';
import { startWorker } from './worker.ts';

const logger = createLogger({ name: 'worker' });

try {
  const worker = await startWorker(readSettings(process.env));
  let isLeaving = false;
  const leave = (signal: string): void => {
    if (isLeaving) {
      return;
    }
    isLeaving = true;
    logger.info({ signal }, 'Leaving after the jobs in hand');
    worker.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.fatal({ err: error }, 'Could not leave in order');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', leave);
  process.on('SIGINT', leave);
} catch (error) {
  if (error instanceof AppError) {
    logger.fatal(`${error.message} ${error.remedy ?? ''}`);
  } else {
    logger.fatal({ err: error }, 'The worker could not start');
  }
  process.exit(1);
}
