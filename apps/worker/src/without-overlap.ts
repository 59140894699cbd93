// Keeps runs of a job from piling up: one that is due while the same one still runs here is dropped, because it will be due again soon.
import type { Task } from 'graphile-worker';

/** @param keyOf distinguishes runs that may overlap; by default there are none */
export function withoutOverlap(task: Task, keyOf: (payload: unknown) => unknown = () => null): Task {
  const running = new Set<unknown>();
  return async (payload, helpers) => {
    const key = keyOf(payload);
    if (running.has(key)) {
      helpers.logger.debug('The run before is still at work');
      return;
    }
    running.add(key);
    try {
      await task(payload, helpers);
    } finally {
      running.delete(key);
    }
  };
}
