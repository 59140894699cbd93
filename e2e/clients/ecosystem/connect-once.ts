// Kafka Connect with exactly-once sources: a worker copies a growing file's lines into a topic, and is stopped in the middle
// of it, by `kill -9` and by request. Each line must be in the topic once for readers at read_committed.
import { appendFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kafkaEcosystemJars } from '../../../infra/local/tools.ts';
import { run, until } from '../support/run.ts';
import { ConnectWorker } from './connect-worker.ts';
import type { RoundsOptions } from './rounds.ts';
import type { Stage } from './stage.ts';

const TOPIC = 'once-lines';
const SOURCE = 'once';
/** The file grows by so many lines, so often in a round. */
const [LINES_PER_PORTION, PORTIONS_PER_ROUND] = [5, 150];
const PORTION_INTERVAL_MS = 50;
/** The worker is stopped when so many records of a round are written, committed or not. */
const RECORDS_BEFORE_STOP = 200;
/** Transactions last so long that a kill finds one open. */
const TRANSACTION_MS = 2_000;
/**
 * A starting worker reads its offsets at read_committed before it starts tasks. After a kill during a commit it waits until
 * that transaction expires: a minute by default.
 */
const TRANSACTION_TIMEOUT_MS = 10_000;

/** The topic's records in order, as a reader gets them. */
async function copiedLines(bootstrap: string, isolation: 'read_committed' | 'read_uncommitted'): Promise<string[]> {
  const printed = await run('kcat', [
    ...['-C', '-b', bootstrap, '-t', TOPIC, '-X', `isolation.level=${isolation}`],
    ...['-o', 'beginning', '-e', '-q', '-f', '%s\n'],
  ]);
  return printed.split('\n').slice(0, -1);
}

/** The topic's end, behind open transactions too. */
async function endOf(stage: Stage): Promise<number> {
  const [offsets] = await stage.admin.fetchTopicOffsets(TOPIC);
  return Number(offsets?.high);
}

/**
 * Has the file grow, whether a worker runs or not. All lines come in portions, because Kafka's file source keeps what it has read beyond
 * `batch.size` lines until the file grows again: a small batch size makes no small transactions, and leaves the end of the file out.
 */
async function grow(file: string, lines: string[]): Promise<void> {
  for (let portion = 0; portion < PORTIONS_PER_ROUND; portion += 1) {
    const more = Array.from({ length: LINES_PER_PORTION }, (_, at) => `once ${lines.length + at}`);
    lines.push(...more);
    await appendFile(file, more.map((line) => `${line}\n`).join(''));
    await new Promise((resolve) => setTimeout(resolve, PORTION_INTERVAL_MS));
  }
}

/** @throws when a line is lost, doubled or out of order, or when a source does not go on after a stop */
export async function runConnectOnce(stage: Stage, { rounds, report }: RoundsOptions): Promise<void> {
  await stage.admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: 1 }] });
  const settings = { 'exactly.once.source.support': 'enabled' };
  const worker = new ConnectWorker(stage, await kafkaEcosystemJars(), 'once', settings);
  const file = join(stage.home, 'once-input.txt');
  const config = {
    'connector.class': 'org.apache.kafka.connect.file.FileStreamSourceConnector',
    'tasks.max': '1',
    'exactly.once.support': 'required',
    file,
    topic: TOPIC,
    'transaction.boundary': 'interval',
    'transaction.boundary.interval.ms': String(TRANSACTION_MS),
    'producer.override.transaction.timeout.ms': String(TRANSACTION_TIMEOUT_MS),
  };
  await writeFile(file, '');
  const lines: string[] = [];
  const committed = () => copiedLines(stage.bootstrap, 'read_committed');
  try {
    await worker.start();
    await worker.configure(SOURCE, config);
    for (let round = 1; round <= rounds; round += 1) {
      await until('the source runs', () => worker.runs(SOURCE, config));
      const before = await endOf(stage);
      const growing = grow(file, lines);
      const isInMiddle = async () => (await endOf(stage)) >= before + RECORDS_BEFORE_STOP;
      await until('the source is in the middle', isInMiddle);
      await worker.stop(round % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
      const stoppedMs = Date.now();
      const beforeStop = (await committed()).length;
      await worker.start();
      await growing;
      const { size } = await stat(file);
      await until('the source is through', async () => (await worker.committed(SOURCE)) === size);
      const tookSeconds = Math.round((Date.now() - stoppedMs) / 1_000);
      const found = await committed();
      if (found.join('\n') !== lines.join('\n')) {
        throw new Error(
          `${found.length} lines are copied of ${lines.length}, or in another order: ${differs(lines, found)}`,
        );
      }
      const all = await copiedLines(stage.bootstrap, 'read_uncommitted');
      const figures = {
        lines: found.length,
        'lines before the stop': beforeStop,
        'aborted lines': all.length - found.length,
        'seconds until all were copied': tookSeconds,
      };
      report({ part: 'once', round, figures, sizes: await stage.sizes('once-'), compacted: [] });
    }
  } finally {
    await worker.stop('SIGKILL');
  }
}

function differs(expected: readonly string[], found: readonly string[]): string {
  const at = expected.findIndex((line, index) => found[index] !== line);
  return at < 0 ? `more after ${expected.length}` : `${found[at]} instead of ${expected[at]}`;
}
