// Writes what the stream sends to the query cache.
import type { InferDataFromTag, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * A fetch that is under way may have read an older state and answer later than the stream. It would replace the newer data for good, since
 * the stream sends changes only, so the data is written again after the fetch.
 */
export function putStreamed<Key extends QueryKey>(
  queries: QueryClient,
  queryKey: Key,
  data: InferDataFromTag<unknown, Key>,
): void {
  queries.setQueryData<unknown>(queryKey, data);
  const query = queries.getQueryCache().find({ queryKey, exact: true });
  if (query?.state.fetchStatus === 'idle') {
    return;
  }
  const putAgain = () => {
    queries.setQueryData<unknown>(queryKey, data);
  };
  void query?.promise?.then(putAgain, putAgain);
}
