// Hears what the database says on one channel, on a connection of its own that is opened again when it breaks. What was said while
// nobody listened is lost: whoever listens also looks, after each connect and by a sweep.
import type { Logger } from '@penstock/platform';
import { Client } from 'pg';

const reconnectPause_ms = 5_000;

export interface Listener {
  /** A PostgreSQL identifier. */
  channel: string;
  /** For each notification; what it throws is logged. */
  onNotification(payload: string): Promise<void>;
  /** After each connect. */
  onConnect(): Promise<void>;
}

/** Starts listening. The returned function ends it. */
export function listen(databaseUrl: string, listener: Listener, logger: Logger): () => Promise<void> {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isEnding = false;
  const part = { channel: listener.channel };

  const reconnect = (): void => {
    client = undefined;
    if (!isEnding) timer = setTimeout(() => void connect(), reconnectPause_ms);
  };

  async function connect(): Promise<void> {
    const connection = new Client({ connectionString: databaseUrl });
    connection.on('error', (error) => logger.warn({ ...part, err: error }, 'A listener lost its connection'));
    connection.on('end', reconnect);
    connection.on('notification', ({ payload }) => {
      if (payload === undefined) return;
      listener
        .onNotification(payload)
        .catch((error: unknown) => logger.warn({ ...part, err: error }, 'What was announced waits for the next sweep'));
    });
    try {
      await connection.connect();
      await connection.query(`LISTEN ${listener.channel}`);
      client = connection;
      await listener.onConnect();
    } catch (error) {
      logger.warn({ ...part, err: error }, 'A listener cannot connect; trying again');
      await connection.end().catch(() => undefined);
    }
  }

  void connect();
  return async () => {
    isEnding = true;
    clearTimeout(timer);
    await client?.end();
  };
}
