// The connections on which jobs run their statements, so that these can be cancelled when the worker has to exit.

/** Part of the pg driver's client. */
export interface Connection {
  /** The server's process; absent before it is connected, and in the driver's types. */
  processID?: number | null;
  once(event: 'end', listener: () => void): unknown;
}

interface Queries {
  query(text: string, values: unknown[]): Promise<unknown>;
}

export class OpenConnections {
  readonly #open = new Set<Connection>();

  readonly add = (connection: Connection): void => {
    this.#open.add(connection);
    connection.once('end', () => this.#open.delete(connection));
  };

  /**
   * Cancels what they run now. A pooler between us and PostgreSQL has ids of its own, of which PostgreSQL knows none: then
   * statements end with their connections.
   * @param database a pool that is not among them
   */
  async cancelStatements(database: Queries): Promise<void> {
    const ids = [...this.#open].flatMap(({ processID }) => processID ?? []);
    await database.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
       WHERE pid = ANY($1) AND usename = session_user AND pid <> pg_backend_pid() AND state <> 'idle'`,
      [ids],
    );
  }
}
