// Word of ended sessions and changed memberships, from triggers in the database: streams that are open for the person
// look again at once, whichever process or program made the change.
import type { Logger } from '@penstock/platform';
import { Client } from 'pg';

/** Named in the triggers of the migration `people`. */
const channel = 'penstock_access_changed';
const reconnectPause_ms = 500;

export interface AccessChanges {
  /**
   * Calls back when something about the user's sessions or memberships may have changed; also after a break of the
   * connection, in which a word may have been lost.
   * @returns ends it
   */
  watch(userId: string, onChange: () => void): () => void;
  close(): Promise<void>;
}

/** Listens on a connection of its own, which is opened with the first watch. */
export function createAccessChanges(databaseUrl: string, logger: Logger): AccessChanges {
  const watchers = new Map<string, Set<() => void>>();
  let connection: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const callAll = (): void => {
    for (const group of watchers.values()) for (const onChange of group) onChange();
  };

  function connect(): void {
    const client = new Client({ connectionString: databaseUrl, keepAlive: true });
    connection = client;
    client.on('error', (error) => logger.warn({ err: error }, 'The listener for lost access lost its connection'));
    client.on('end', () => {
      if (!isClosed) timer = setTimeout(connect, reconnectPause_ms);
    });
    client.on('notification', ({ payload }) => {
      for (const onChange of watchers.get(payload ?? '') ?? []) onChange();
    });
    client
      .connect()
      .then(() => client.query(`LISTEN ${channel}`))
      .then(callAll)
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'The listener for lost access cannot connect; trying again');
        return client.end();
      })
      .catch((error: unknown) => logger.warn({ err: error }, 'A broken connection did not close cleanly'));
  }

  return {
    watch(userId, onChange) {
      const group = watchers.get(userId) ?? new Set();
      watchers.set(userId, group.add(onChange));
      if (connection === undefined && !isClosed) connect();
      return () => {
        group.delete(onChange);
        if (group.size === 0 && watchers.get(userId) === group) watchers.delete(userId);
      };
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await connection?.end();
    },
  };
}
