// Several reads in one message to PostgreSQL and one back. They form one implicit transaction, which ends with the
// message.
import type { Connection, Submittable } from 'pg';
import type { Parameter, Statement } from './statement.ts';

/** One execution of a statement, and the callbacks for its result. */
export interface Step {
  statement: Statement<unknown>;
  values: Parameter[];
  onRow(row: unknown): void;
  /** All rows have arrived and are valid. */
  onEnd(): void;
}

interface DataRow {
  fields: (string | null)[];
}

/**
 * Runs steps in order over PostgreSQL's extended protocol, without waiting between them. `pg` calls the methods that
 * begin with `handle`; its cursors and streams work in the same way.
 */
export class Batch implements Submittable {
  readonly #steps: readonly Step[];
  readonly #prepared: Set<string>;
  readonly #onEnd: (error: Error | null) => void;
  #at = 0;
  #unreadable: Error | undefined;
  connection: Connection | undefined;

  /**
   * @param prepared names of the statements prepared on the connection; new ones are added
   * @param onEnd called once, after the last step; with an error if no result is valid
   */
  constructor(steps: readonly Step[], prepared: Set<string>, onEnd: (error: Error | null) => void) {
    this.#steps = steps;
    this.#prepared = prepared;
    this.#onEnd = onEnd;
  }

  submit(connection: Connection): void {
    this.connection = connection;
    connection.stream.cork();
    for (const { statement, values } of this.#steps) {
      const { name, text } = statement;
      if (!this.#prepared.has(name)) {
        connection.parse({ name, text, types: [] }, true);
        this.#prepared.add(name);
      }
      connection.bind({ statement: name, values }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleDataRow({ fields }: DataRow): void {
    const step = this.#steps[this.#at];
    try {
      step?.onRow(step.statement.toRow(fields));
    } catch (error) {
      // Throwing into the driver would break it: the message must be read to its end first.
      this.#unreadable ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  handleCommandComplete(): void {
    this.#at += 1;
  }

  handleReadyForQuery(): void {
    if (this.#unreadable === undefined) {
      for (const step of this.#steps) {
        step.onEnd();
      }
    }
    this.#onEnd(this.#unreadable ?? null);
  }

  /** PostgreSQL refused a step, or the connection broke. */
  handleError(error: Error): void {
    this.#onEnd(error);
  }
}
