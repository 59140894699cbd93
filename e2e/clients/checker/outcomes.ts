// What becomes of a run: of each client, how much and how long nothing; and the history in a file.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryEvent } from './history.ts';

export interface ClientOutcome {
  name: string;
  /** Records acknowledged, or read. */
  records: number;
  failed: number;
  /** In which nothing was acknowledged, or read, while faults struck. */
  longestGapMs: number;
}

export interface CountedEvents {
  /** Whose acknowledgements are not counted. */
  churned?: string;
  /** Who reads when everything is over. */
  finalReaders: readonly string[];
  /** When faults began and ceased to strike. */
  begun_ms: number;
  over_ms: number;
}

/** Of each producer and each reader that follows. */
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
      // Until everything has been well for a while, and not what comes after it.
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
