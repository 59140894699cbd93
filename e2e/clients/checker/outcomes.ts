// The results of a run: each client's totals and longest gap, and the history in a file.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryEvent } from './history.ts';

export interface ClientOutcome {
  name: string;
  /** Records acknowledged, or read. */
  records: number;
  failed: number;
  /** The longest time without an acknowledgement or read while faults struck. */
  longestGapMs: number;
}

export interface CountedEvents {
  /** Clients whose acknowledgements are not counted. */
  churned?: string;
  /** Readers that start after everything has finished. */
  finalReaders: readonly string[];
  /** When faults began and stopped. */
  begun_ms: number;
  over_ms: number;
}

/** Per producer and tail reader. */
export function clientOutcomes(history: readonly HistoryEvent[], counted: CountedEvents): ClientOutcome[] {
  const { churned, finalReaders, begun_ms: begunMs, over_ms: overMs } = counted;
  const clients = new Map<string, ClientOutcome & { lastAtMs: number }>();
  const of = (name: string): ClientOutcome & { lastAtMs: number } => {
    const client = clients.get(name) ?? { name, records: 0, failed: 0, longestGapMs: 0, lastAtMs: begunMs };
    clients.set(name, client);
    return client;
  };
  for (const event of history) {
    if (
      (event.t === 'ack' && event.topic !== churned) ||
      (event.t === 'read' && !finalReaders.includes(event.client))
    ) {
      const client = of(event.client);
      client.records += 1;
      // Ends once everything has been healthy for a while, and excludes what follows.
      client.longestGapMs = Math.max(client.longestGapMs, Math.min(event.at_ms, overMs) - client.lastAtMs);
      client.lastAtMs = Math.max(begunMs, event.at_ms);
    } else if (event.t === 'fail') {
      of(event.client).failed += 1;
    }
  }
  return [...clients.values()].map(({ lastAtMs: _, ...client }) => client);
}

/** Returns the path of a new file. */
export async function keepHistory(history: readonly HistoryEvent[], seed: number): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'penstock-history-')), `seed-${seed}.jsonl`);
  await writeFile(file, history.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return file;
}
