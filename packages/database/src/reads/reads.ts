// Reads that nearly every request makes. Reads requested within one turn of the event loop go to PostgreSQL together:
// with fifty requests in flight, that is one message for a dozen of them instead of several for each. Nothing is
// cached: every result comes from a query sent after the read was requested.
import type { DatabaseAccess } from '@penstock/platform';
import { Lane } from './lane.ts';
import type { Read } from './read.types.ts';
import type { Lookup, Parameter, Statement } from './statement.ts';

export interface Reads {
  /** Looks one row up with the connection's own rights. @param key in lower case hex */
  find<Row>(lookup: Lookup<Row>, key: string): Promise<Row | undefined>;
  /** Reads as the tenant role, which cannot see the rows of other organizations. */
  readInTenant<Row>(organizationId: string, statement: Statement<Row>, values: Parameter[]): Promise<Row[]>;
  close(): Promise<void>;
}

export interface ReadsOptions {
  /** The default lets one connection work while the results of the other are read. */
  connections?: number;
  /** The access declared by lookups whose organization is not known yet. Without it, they find nothing. */
  access?: DatabaseAccess;
  /** Reports errors, including those that a retry fixed. */
  onProblem?(error: Error): void;
}

/** The maximum per message, because the reads of a message share one processor in PostgreSQL. */
const MAX_READS = 64;

/** Creates its own connections, with the first read. */
export function createReads(
  databaseUrl: string,
  { connections = 2, access, onProblem = () => undefined }: ReadsOptions = {},
): Reads {
  const lanes = Array.from({ length: connections }, () => new Lane(databaseUrl, onProblem, access));
  const waiting: Read[] = [];
  let isScheduled = false;
  let isClosed = false;

  // After this turn's events, so that their reads are sent together.
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

  // The casts are safe: a read's rows are parsed by its own statement.
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
