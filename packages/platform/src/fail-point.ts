// Fail points: named places at which a test stops, delays or kills the code that passes them. Nothing happens elsewhere.
import { AsyncLocalStorage } from 'node:async_hooks';

type AtPoint = (name: string) => Promise<void>;

/** By the asynchronous context, so that tests in one process do not meet each other's. */
const armed = new AsyncLocalStorage<AtPoint>();

/** Marks a place by its name, such as `fold: checkpoint-moved`. */
export async function failPoint(name: string): Promise<void> {
  await armed.getStore()?.(name);
}

/**
 * Runs `work`, and calls `atPoint` at every fail point that it passes. For tests.
 * @param atPoint may throw, or never return
 */
export function withFailPoints<T>(atPoint: AtPoint, work: () => Promise<T>): Promise<T> {
  return armed.run(atPoint, work);
}
