// Listens to PostgreSQL notifications (LISTEN), on one connection for all channels of this process. A notification is lost
// when nobody listens, so a listener also checks for missed changes after each connect.
import { applicationName, type Logger } from '@penstock/platform';
import { Client } from 'pg';

const RECONNECT_PAUSE_MS = 500;

export interface NotificationListener {
  /** Called for each notification of the channel. A failure is logged. */
  onNotification(payload: string): void | Promise<void>;
  /** Called after each connect. A failure breaks the connection, so that another connect follows. */
  onConnect(): void | Promise<void>;
}

export interface Notifications {
  /**
   * Starts listening on a channel. The first call opens the connection.
   * @returns a function that stops listening
   */
  listen(channel: string, listener: NotificationListener): () => void;
  close(): Promise<void>;
}

/** Notifications about objects of one kind, by object id. */
export interface KeyedChannel {
  /**
   * Calls back when the object may have changed, and after a reconnect, when a notification may have been lost.
   * @returns a function that stops watching
   */
  watch(key: string, onChange: () => void): () => void;
}

/** Opens no connection until the first `listen`. */
export function createNotifications(databaseUrl: string, logger: Logger): Notifications {
  const channels = new Map<string, Set<NotificationListener>>();
  let connection: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isReady = false;
  let isClosed = false;

  function notify(channel: string, payload: string): void {
    for (const listener of channels.get(channel) ?? []) {
      void handle(listener, channel, payload);
    }
  }

  async function handle(listener: NotificationListener, channel: string, payload: string): Promise<void> {
    try {
      await listener.onNotification(payload);
    } catch (error) {
      logger.warn({ err: error, channel }, 'A notification could not be handled; it waits for the next check');
    }
  }

  async function listenOn(client: Client, channel: string): Promise<void> {
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    for (const listener of channels.get(channel) ?? []) {
      await listener.onConnect();
    }
  }

  function connect(): void {
    const client = new Client({
      connectionString: databaseUrl,
      keepAlive: true,
      application_name: applicationName('listen'),
    });
    connection = client;
    client.on('error', (error) => logger.warn({ err: error }, 'The listener for notifications lost its connection'));
    client.on('end', () => {
      isReady = false;
      if (!isClosed) {
        timer = setTimeout(connect, RECONNECT_PAUSE_MS);
      }
    });
    client.on('notification', ({ channel, payload }) => notify(channel, payload ?? ''));
    client
      .connect()
      .then(async () => {
        isReady = true;
        for (const channel of channels.keys()) {
          await listenOn(client, channel);
        }
      })
      .catch((error: unknown) => breakConnection(client, error));
  }

  /** Closes a broken connection, so that a new one is opened. */
  async function breakConnection(client: Client, error: unknown): Promise<void> {
    if (!isClosed) {
      logger.warn({ err: error }, 'The listener for notifications cannot listen; it connects again');
    }
    await client.end().catch((failure: unknown) => logger.warn({ err: failure }, 'A connection did not close cleanly'));
  }

  return {
    listen(channel, listener) {
      const known = channels.get(channel);
      const listeners = known ?? new Set();
      channels.set(channel, listeners.add(listener));
      if (connection === undefined && !isClosed) {
        connect();
      } else if (connection !== undefined && known === undefined && isReady && !isClosed) {
        const client = connection;
        listenOn(client, channel).catch((error: unknown) => breakConnection(client, error));
      }
      return () => {
        listeners.delete(listener);
      };
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await connection?.end();
    },
  };
}

/** A channel whose payloads are ids. Starts listening at the first `watch`. */
export function keyedChannel(notifications: Notifications, channel: string): KeyedChannel {
  const watchers = new Map<string, Set<() => void>>();
  let isListening = false;

  function callAll(group: Iterable<() => void>): void {
    for (const onChange of group) {
      onChange();
    }
  }

  return {
    watch(key, onChange) {
      const group = watchers.get(key) ?? new Set();
      watchers.set(key, group.add(onChange));
      if (!isListening) {
        isListening = true;
        notifications.listen(channel, {
          onNotification: (id) => callAll(watchers.get(id) ?? []),
          onConnect: () => {
            for (const waiting of watchers.values()) {
              callAll(waiting);
            }
          },
        });
      }
      return () => {
        group.delete(onChange);
        if (group.size === 0 && watchers.get(key) === group) {
          watchers.delete(key);
        }
      };
    },
  };
}
