// Pauses work for a while. Waiting work continues when the gate opens.

export interface Gate {
  /** Resolves at once while the gate is open. */
  pass(): Promise<void>;
  shut(): void;
  open(): void;
}

export function createGate(): Gate {
  let waiting: PromiseWithResolvers<void> | undefined;
  return {
    pass: () => waiting?.promise ?? Promise.resolve(),
    shut() {
      waiting ??= Promise.withResolvers<void>();
    },
    open() {
      waiting?.resolve();
      waiting = undefined;
    },
  };
}
