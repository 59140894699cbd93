// An idempotent producer that sends until it is told to stop: whatever happens in between happens under traffic, on a slow machine and on a quick one.
import { confluentKafkaPython } from '../../../infra/local/tools.ts';
import { produceSettings, pythonFolder } from './clients.ts';
import { type Acknowledged, makeValues, parseAcknowledged, repeatedValues, valuesFile } from './records.ts';
import { start, until } from './run.ts';

const defaultRecordsPer_s = 2_000;
const newline = 0x0a;
const distinctValues = 2_000;

export interface Sent {
  acknowledged: Acknowledged[];
  /** The value of each record, by its number. */
  values: string[];
}

export interface Traffic {
  /** How many records are acknowledged so far. */
  acknowledged(): number;
  /** Waits until so many more records are acknowledged than now: the traffic flows. */
  flows(records: number): Promise<void>;
  /** The longest time in which nothing was acknowledged since the last call of this, the time since the last acknowledgement included. */
  takeLongestGap_ms(): number;
  /**
   * Sends no more, and waits for the acknowledgements that are missing.
   * @throws when a record failed, or was not acknowledged exactly once
   */
  stop(): Promise<Sent>;
}

/** Starts to send records of 1 KiB, in small requests, so that whatever is killed is killed in the middle of some. */
export async function startTraffic(settings: {
  bootstrap: string;
  topic: string;
  recordsPer_s?: number;
  client?: Record<string, string | number>;
}): Promise<Traffic> {
  const values = makeValues(distinctValues);
  const file = await valuesFile(values);
  const producer = start(await confluentKafkaPython(), [`${pythonFolder}/produce.py`], { keepsInput: true });
  producer.child.stdin.write(
    produceSettings({
      bootstrap: settings.bootstrap,
      topic: settings.topic,
      valuesFile: file.path,
      flushEach: true,
      recordsPer_s: settings.recordsPer_s ?? defaultRecordsPer_s,
      client: {
        'batch.num.messages': 100,
        'queue.buffering.max.messages': 1_000,
        'reconnect.backoff.max.ms': 500,
        ...settings.client,
      },
    }),
  );
  let lines = 0;
  let lastAt_ms = performance.now();
  let longestGap_ms = 0;
  const noteGap = (): void => {
    const now_ms = performance.now();
    longestGap_ms = Math.max(longestGap_ms, now_ms - lastAt_ms);
    lastAt_ms = now_ms;
  };
  producer.child.stdout.on('data', (chunk: Buffer) => {
    for (const byte of chunk) lines += byte === newline ? 1 : 0;
    noteGap();
  });
  const acknowledged = (): number => lines;
  return {
    acknowledged,
    takeLongestGap_ms: () => {
      const longest_ms = Math.max(longestGap_ms, performance.now() - lastAt_ms);
      longestGap_ms = 0;
      return longest_ms;
    },
    flows: async (records) => {
      const enough = acknowledged() + records;
      await until(`${records} more records are acknowledged`, () => {
        if (producer.child.exitCode !== null) throw new Error(`The producer ended: ${producer.stderr()}`);
        return acknowledged() >= enough;
      });
    },
    stop: async () => {
      producer.child.stdin.end();
      const code = await producer.exited;
      await file.remove();
      if (code !== 0) throw new Error(`The producer ended with ${code}: ${producer.stderr()}`);
      const all = parseAcknowledged(producer.stdout());
      if (new Set(all.map(({ index }) => index)).size !== all.length)
        throw new Error('A record was acknowledged twice');
      const highest = all.reduce((most, { index }) => Math.max(most, index), -1);
      if (highest + 1 !== all.length) throw new Error(`${highest + 1} records sent, ${all.length} acknowledged`);
      return { acknowledged: all, values: repeatedValues(values, all.length) };
    },
  };
}
