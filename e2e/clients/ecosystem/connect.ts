// Kafka Connect in distributed mode: a worker copies a file's lines through a topic into another file, and keeps all its state in its three
// compacted topics. It is stopped repeatedly, by request and by `kill -9`.
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kafkaEcosystemJars } from '../../../infra/local/tools.ts';
import { until } from '../support/run.ts';
import { ConnectWorker, type Settings } from './connect-worker.ts';
import type { RoundsOptions } from './rounds.ts';
import type { Stage } from './stage.ts';

const LINES = 'connect-lines';
const PORTIONS = 5;
const LINES_PER_PORTION = 50;
const CONNECTORS = ['source', 'sink'] as const;

type Connector = (typeof CONNECTORS)[number];

interface Files {
  input: string;
  output: string;
}

function configOf(connector: Connector, { input, output }: Files, round: number): Settings {
  const which = connector === 'source' ? 'Source' : 'Sink';
  return {
    'connector.class': `org.apache.kafka.connect.file.FileStream${which}Connector`,
    'tasks.max': '1',
    file: connector === 'source' ? input : output,
    ...(connector === 'source' ? { topic: LINES, 'batch.size': String(100 + round) } : { topics: LINES }),
  };
}

/** Writes lines in portions. Each portion must have arrived and been committed by both connectors before the next. */
async function copyLines(worker: ConnectWorker, { input }: Files, lines: string[]): Promise<void> {
  for (let portion = 0; portion < PORTIONS; portion += 1) {
    const more = Array.from({ length: LINES_PER_PORTION }, (_, at) => `line ${lines.length + at}`);
    lines.push(...more);
    await appendFile(input, more.map((line) => `${line}\n`).join(''));
    const { size } = await stat(input);
    const isThrough = async () =>
      (await worker.committed('source')) === size && (await worker.committed('sink')) === lines.length;
    await until(`${lines.length} lines are through`, isThrough);
  }
}

/** @throws when a worker loses a connector or a position, or when a line is lost or duplicated */
export async function runConnect(stage: Stage, { rounds, compacts, report }: RoundsOptions): Promise<void> {
  await stage.admin.createTopics({ topics: [{ topic: LINES, numPartitions: 1 }] });
  const worker = new ConnectWorker(stage, await kafkaEcosystemJars(), 'connect');
  const files = { input: join(stage.home, 'connect-input.txt'), output: join(stage.home, 'connect-output.txt') };
  const lines: string[] = [];
  await writeFile(files.input, '');
  try {
    await worker.start();
    for (let round = 1; round <= rounds; round += 1) {
      for (const connector of CONNECTORS) {
        const config = configOf(connector, files, round);
        await worker.configure(connector, config);
        await until(`${connector} runs`, () => worker.runs(connector, config));
      }
      await copyLines(worker, files, lines);
      await worker.stop(round % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
      if (compacts) {
        await stage.areCompacted(worker.topics);
      }
      await worker.start();
      for (const connector of CONNECTORS) {
        const config = configOf(connector, files, round);
        await until(`${connector} runs as before`, () => worker.runs(connector, config));
      }
      // No input is reread, which would duplicate lines.
      await copyLines(worker, files, lines);
      const copied = (await readFile(files.output, 'utf8')).split('\n').slice(0, -1);
      const wrong = copied.findIndex((line, at) => line !== lines[at]);
      if (wrong >= 0 || copied.length !== lines.length) {
        throw new Error(
          `After restart ${round}, ${copied.length} of ${lines.length} lines are copied; wrong from ${wrong} on`,
        );
      }
      const figures = { lines: lines.length };
      report({ part: 'connect', round, figures, sizes: await stage.sizes('connect-'), compacted: worker.topics });
    }
  } finally {
    await worker.stop('SIGKILL');
  }
}
