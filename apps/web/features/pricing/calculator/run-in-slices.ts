/** Well under a frame of 16 ms, which leaves time for the browser's own work. */
const SLICE_MS = 4;

/**
 * Runs a generator in short slices, so that the browser can draw and respond in between.
 * @param done receives the result, unless the work was cancelled before
 * @param wait_ms how long before the first slice
 * @returns a function that cancels the work
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
