/** Well under a frame of 16 ms, with room for the browser's own work. */
const SLICE_MS = 4;

/**
 * Runs what yields between short steps, a slice at a time, so that the browser can draw and answer in between.
 * @param done is told the result, unless it was cancelled before
 * @param wait_ms how long before the first slice
 * @returns cancels
 */
export function runInSlices<Result>(
  steps: Generator<void, Result>,
  done: (result: Result) => void,
  waitMs = 0,
): () => void {
  let timer = setTimeout(function slice() {
    const end = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done === true) {
        done(step.value);
        return;
      }
    } while (performance.now() < end);
    timer = setTimeout(slice, 0);
  }, waitMs);
  return () => clearTimeout(timer);
}
