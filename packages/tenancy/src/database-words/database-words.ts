// Words that triggers in the database send at commit (LISTEN and NOTIFY): what is open here hears of a change, whichever process or
// program made it. One connection for all channels of this process.
import type { Logger } from '@penstock/platform';
import { Client } from 'pg';

const reconnectPause_ms = 500;

/** Words about one kind of thing. */
export interface WordChannel {
  /**
   * Calls back when something about the key (e.g. a user's or cluster's id) may have changed; also after a break of the connection, in
   * which a word may have been lost.
   * @returns ends it
   */
  watch(key: string, onWord: () => void): () => void;
}

export interface DatabaseWords {
  /** @param name as the triggers have it */
  channel(name: string): WordChannel;
  close(): Promise<void>;
}

/** Connects with the first watch. */
export function createDatabaseWords(databaseUrl: string, logger: Logger): DatabaseWords {
  const channels = new Map<string, Map<string, Set<() => void>>>();
  let connection: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isReady = false;
  let isClosed = false;

  const callAll = (): void => {
    for (const keys of channels.values()) for (const group of keys.values()) for (const onWord of group) onWord();
  };

  function connect(): void {
    const client = new Client({ connectionString: databaseUrl, keepAlive: true });
    connection = client;
    client.on('error', (error) => logger.warn({ err: error }, 'The listener for changes lost its connection'));
    client.on('end', () => {
      isReady = false;
      if (!isClosed) timer = setTimeout(connect, reconnectPause_ms);
    });
    client.on('notification', ({ channel, payload }) => {
      for (const onWord of channels.get(channel)?.get(payload ?? '') ?? []) onWord();
    });
    client
      .connect()
      .then(async () => {
        isReady = true;
        for (const name of channels.keys()) await client.query(`LISTEN ${client.escapeIdentifier(name)}`);
      })
      .then(callAll)
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'The listener for changes cannot connect; trying again');
        return client.end();
      })
      .catch((error: unknown) => logger.warn({ err: error }, 'A broken connection did not close cleanly'));
  }

  /** A channel that is new while the connection stands; else the connection begins with all of them. */
  function listen(name: string, keys: Map<string, Set<() => void>>): void {
    if (isClosed) return;
    if (connection === undefined) connect();
    else if (isReady) {
      connection
        .query(`LISTEN ${connection.escapeIdentifier(name)}`)
        .then(() => {
          for (const group of keys.values()) for (const onWord of group) onWord();
        })
        .catch((error: unknown) => logger.warn({ err: error }, 'A channel of changes cannot be heard'));
    }
  }

  return {
    channel: (name) => ({
      watch(key, onWord) {
        const keys = channels.get(name) ?? new Map<string, Set<() => void>>();
        const group = keys.get(key) ?? new Set();
        keys.set(key, group.add(onWord));
        if (!channels.has(name)) {
          channels.set(name, keys);
          listen(name, keys);
        }
        return () => {
          group.delete(onWord);
          if (group.size === 0 && keys.get(key) === group) keys.delete(key);
        };
      },
    }),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await connection?.end();
    },
  };
}
