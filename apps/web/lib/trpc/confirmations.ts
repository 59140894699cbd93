// Asks the user to confirm their identity, for calls that the server refused until then. Several calls that wait share
// one question. The dialog that asks is elsewhere: this module knows no feature.

/** The error code of such a refusal. */
export const CONFIRMATION_REQUIRED = 'reauthentication_required';

export class Confirmations {
  readonly #listeners = new Set<() => void>();
  #question: { answer: Promise<boolean>; resolve: (isConfirmed: boolean) => void } | null = null;

  /** @returns whether the user has confirmed their identity; false at once if no dialog can ask */
  ask(): Promise<boolean> {
    if (this.#listeners.size === 0) {
      return Promise.resolve(false);
    }
    if (this.#question === null) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      this.#question = { answer: promise, resolve };
      this.#tell();
    }
    return this.#question.answer;
  }

  /** Ends the question. Everything that waits for it goes on. */
  settle(isConfirmed: boolean): void {
    const question = this.#question;
    this.#question = null;
    this.#tell();
    question?.resolve(isConfirmed);
  }

  readonly isAsked = (): boolean => this.#question !== null;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #tell(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
