// How every program of ours exits: it reports not ready, keeps its listeners open until load balancers have noticed,
// then closes everything. It never takes longer than supervisors wait before they kill.
import { z } from 'zod';
import type { Logger } from './logger.ts';

/** Kubernetes and systemd units of ours kill after 30 s. */
const EXIT_LIMIT_MS = 24_000;
const MAX_DRAIN_SECONDS = 15;

/**
 * How long listeners stay open after SIGTERM while /readyz answers 503. Longer than a load balancer takes to notice: with
 * checks every second, 3.
 */
export const drainSecondsVariable = z
  .string()
  .regex(/^\d{1,2}$/, 'expected a number of seconds')
  .transform(Number)
  .refine((seconds) => seconds <= MAX_DRAIN_SECONDS, `expected 0 to ${MAX_DRAIN_SECONDS} seconds`)
  .default(0)
  .meta({
    description:
      'Seconds for which listeners stay open after SIGTERM while `/readyz` answers 503: longer than the load balancer takes to notice. 3 with checks every second.',
  });

/** The part of `process` that is used. */
interface ExitingProcess {
  on(signal: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown;
  exit(code: number): void;
}

export interface OrderlyExit {
  logger: Pick<Logger, 'info' | 'fatal'>;
  drainSeconds: number;
  /** From now on /readyz answers 503. Work that no caller waits for ends here already. */
  leave(): void;
  /** Closes listeners, finishes work in progress and disconnects. */
  close(): Promise<void>;
}

/** Exits on the first SIGTERM or SIGINT, with 0 if everything was closed in time. */
export function exitOnSignals(
  { logger, drainSeconds, leave, close }: OrderlyExit,
  program: ExitingProcess = process,
): void {
  let isLeaving = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isLeaving) {
      return;
    }
    isLeaving = true;
    logger.info({ signal, drainSeconds }, 'Shutting down');
    setTimeout(() => {
      logger.fatal('Shutdown took too long; exiting with work in progress');
      program.exit(1);
    }, EXIT_LIMIT_MS).unref();
    leave();
    setTimeout(() => {
      close().then(
        () => {
          logger.info('Shut down');
          program.exit(0);
        },
        (error: unknown) => {
          logger.fatal({ err: error }, 'Shutdown failed');
          program.exit(1);
        },
      );
    }, drainSeconds * 1_000);
  };
  program.on('SIGTERM', onSignal);
  program.on('SIGINT', onSignal);
}
