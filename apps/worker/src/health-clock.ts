// Every five seconds: a look at every active cluster. With windows of ten seconds, a fault is so on the page within half a minute.
import type { Logger } from '@penstock/platform';
import type { Runner } from 'graphile-worker';

const interval_ms = 5_000;

/** Starts the clock. The returned function stops it and resolves when no look is under way. */
export function startHealthClock(runner: Pick<Runner, 'addJob'>, logger: Logger): () => Promise<void> {
  let look: Promise<void> = Promise.resolve();
  const tick = (): void => {
    look = look
      .then(async () => {
        // One that a killed worker has left locked does not block the next, and one that failed is not repeated: the next comes soon.
        await runner.addJob(
          'watch-health',
          {},
          { jobKey: 'watch-health', jobKeyMode: 'preserve_run_at', maxAttempts: 1 },
        );
      })
      .catch((error: unknown) => logger.error({ err: error }, 'Could not ask for a look at health; trying again'));
  };
  tick();
  const timer = setInterval(tick, interval_ms);
  return async () => {
    clearInterval(timer);
    await look;
  };
}
