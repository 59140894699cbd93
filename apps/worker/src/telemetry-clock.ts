// Every five seconds: a look for telemetry to roll up. Charts of whole clusters are so at most twenty seconds behind.
import type { Logger } from '@penstock/platform';
import type { Runner } from 'graphile-worker';

const interval_ms = 5_000;

/** Starts the clock. The returned function stops it and resolves when no look is under way. */
export function startTelemetryClock(runner: Pick<Runner, 'addJob'>, logger: Logger): () => Promise<void> {
  let look: Promise<void> = Promise.resolve();
  const tick = (): void => {
    look = look
      .then(async () => {
        // One at a time is enough; one that a killed worker has left locked does not block the next.
        await runner.addJob('roll-up-telemetry', {}, { jobKey: 'roll-up-telemetry', jobKeyMode: 'preserve_run_at' });
      })
      .catch((error: unknown) =>
        logger.error({ err: error }, 'Could not ask for a roll-up of telemetry; trying again'),
      );
  };
  tick();
  const timer = setInterval(tick, interval_ms);
  return async () => {
    clearInterval(timer);
    await look;
  };
}
