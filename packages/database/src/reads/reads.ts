// Reads that stand before or in nearly every request. Whatever is asked for within one turn of the event loop goes to PostgreSQL
// together: with fifty requests in flight that is one message for a dozen of them, instead of several for each. Nothing is
// remembered: every answer comes from a query that was sent after it was asked for.
import { Lane, type Read } from './lane.ts';
import type { Lookup, Parameter, Statement } from './statement.ts';

export interface Reads {
  /** Looks one thing up with the rights of the connection itself. @param key in lower case hex */
  find<Row>(lookup: Lookup<Row>, key: string): Promise<Row | undefined>;
  /** Reads as the tenant role, to which no row of another organization exists. */
  readInTenant<Row>(organizationId: string, statement: Statement<Row>, values: Parameter[]): Promise<Row[]>;
  close(): Promise<void>;
}

export interface ReadsOptions {
  /** One works while the answers of the other one are read. */
  connections?: number;
  /** Told of what broke, also when a second try helped. */
  onProblem?(error: Error): void;
}

/** One message to PostgreSQL holds no more: its reads share a processor there. */
const MAX_READS = 64;

/** Opens connections of its own, with the first read. */
export function createReads(
  databaseUrl: string,
  { connections = 2, onProblem = () => undefined }: ReadsOptions = {},
): Reads {
  const lanes = Array.from({ length: connections }, () => new Lane(databaseUrl, onProblem));
  const waiting: Read[] = [];
  let isScheduled = false;
  let isClosed = false;

  // After the events of this turn, so that what they ask for is sent together.
  const schedule = (): void => {
    if (isScheduled || waiting.length === 0) {
      return;
    }
    isScheduled = true;
    setImmediate(send);
  };
  const send = (): void => {
    isScheduled = false;
    for (const lane of lanes) {
      if (waiting.length > 0 && !lane.isBusy) {
        void lane.run(waiting.splice(0, MAX_READS)).then(schedule);
      }
    }
  };

  const ask = (read: Pick<Read, 'organizationId' | 'statement' | 'values' | 'key'>): Promise<unknown[]> =>
    new Promise((resolve, reject) => {
      if (isClosed) {
        reject(new Error('The reads are closed.'));
        return;
      }
      waiting.push({ ...read, rows: [], resolve, reject });
      schedule();
    });

  // A read is answered with what its own statement made of the rows.
  return {
    async find<Row>(statement: Lookup<Row>, key: string) {
      const [row] = await ask({ organizationId: null, statement, values: [], key });
      return row as Row | undefined;
    },
    readInTenant<Row>(organizationId: string, statement: Statement<Row>, values: Parameter[]) {
      return ask({ organizationId, statement, values, key: null }) as Promise<Row[]>;
    },
    async close() {
      isClosed = true;
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}
