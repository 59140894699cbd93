/**
 * The options of a mutation whose response holds a secret. The secret exists only in that response, so it is shown first: a list that
 * does not load again must not hold it back. The mutation cache does not keep it.
 * @param show receives the response
 * @param refresh loads again what the mutation changed
 */
export function showOnce<T>(show: (response: T) => void, refresh: () => Promise<void>) {
  return {
    onSuccess: async (response: T): Promise<void> => {
      show(response);
      await refresh();
    },
    gcTime: 0,
  };
}
