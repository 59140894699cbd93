// An idempotent producer that sends until stopped, so that faults strike under traffic on slow and fast machines.
import { confluentKafkaPython } from '../../../infra/local/tools.ts';
import { produceSettings, pythonFolder } from './clients.ts';
import { type Acknowledged, makeValues, parseAcknowledged, repeatedValues, valuesFile } from './records.ts';
import { start, until } from './run.ts';

const DEFAULT_RECORDS_PER_S = 2_000;
const NEWLINE = 0x0a;
const DISTINCT_VALUES = 2_000;

export interface Sent {
  acknowledged: Acknowledged[];
  /** The value of a record by its number. */
  values: string[];
}

export interface Traffic {
  /** How many records are acknowledged so far. */
  acknowledged(): number;
  /** Waits until this many more records are acknowledged, which shows that traffic flows. */
  flows(records: number): Promise<void>;
  /** The longest time without an acknowledgement since the last call, including the time since the last acknowledgement. */
  takeLongestGapMs(): number;
  /**
   * Stops sending and waits for the outstanding acknowledgements.
   * @throws when a record failed, or was not acknowledged exactly once
   */
  stop(): Promise<Sent>;
}

/** Starts to send records of 1 KiB in small requests, so that every kill interrupts some. */
export async function startTraffic(settings: {
  bootstrap: string;
  topic: string;
  recordsPerS?: number;
  client?: Record<string, string | number>;
}): Promise<Traffic> {
  const values = makeValues(DISTINCT_VALUES);
  const file = await valuesFile(values);
  const producer = start(await confluentKafkaPython(), [`${pythonFolder}/produce.py`], { keepsInput: true });
  producer.child.stdin.write(
    produceSettings({
      bootstrap: settings.bootstrap,
      topic: settings.topic,
      valuesFile: file.path,
      flushEach: true,
      recordsPerS: settings.recordsPerS ?? DEFAULT_RECORDS_PER_S,
      client: {
        'batch.num.messages': 100,
        'queue.buffering.max.messages': 1_000,
        'reconnect.backoff.max.ms': 500,
        ...settings.client,
      },
    }),
  );
  let lines = 0;
  let lastAtMs = performance.now();
  let longestGapMs = 0;
  const noteGap = (): void => {
    const nowMs = performance.now();
    longestGapMs = Math.max(longestGapMs, nowMs - lastAtMs);
    lastAtMs = nowMs;
  };
  producer.child.stdout.on('data', (chunk: Buffer) => {
    for (const byte of chunk) {
      lines += byte === NEWLINE ? 1 : 0;
    }
    noteGap();
  });
  const acknowledged = (): number => lines;
  return {
    acknowledged,
    takeLongestGapMs: () => {
      const longestMs = Math.max(longestGapMs, performance.now() - lastAtMs);
      longestGapMs = 0;
      return longestMs;
    },
    flows: async (records) => {
      const enough = acknowledged() + records;
      await until(`${records} more records are acknowledged`, () => {
        if (producer.child.exitCode !== null) {
          throw new Error(`The producer ended: ${producer.stderr()}`);
        }
        return acknowledged() >= enough;
      });
    },
    stop: async () => {
      producer.child.stdin.end();
      const code = await producer.exited;
      await file.remove();
      if (code !== 0) {
        throw new Error(`The producer ended with ${code}: ${producer.stderr()}`);
      }
      const all = parseAcknowledged(producer.stdout());
      if (new Set(all.map(({ index }) => index)).size !== all.length) {
        throw new Error('A record was acknowledged twice');
      }
      const highest = all.reduce((most, { index }) => Math.max(most, index), -1);
      if (highest + 1 !== all.length) {
        throw new Error(`${highest + 1} records sent, ${all.length} acknowledged`);
      }
      return { acknowledged: all, values: repeatedValues(values, all.length) };
    },
  };
}
