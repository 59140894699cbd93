// Apache Flink, exactly once: a job copies one topic to another in transactions that end with its checkpoints, and fails in
// the middle. Each record must be in the other topic once for readers at read_committed.
import { join } from 'node:path';
import { flinkJars, javaClassPath } from '../../../infra/local/tools.ts';
import { run, until } from '../support/run.ts';
import { JavaProgram } from './java-program.ts';
import type { RoundsOptions } from './rounds.ts';
import type { Stage } from './stage.ts';

const [INPUT, OUTPUT] = ['flink-input', 'flink-output'];
const PARTITIONS = 2;
const [PORTIONS, RECORDS_PER_PORTION] = [20, 100];
const PORTION_INTERVAL_MS = 200;
/** Only for hangs: a cluster in one process loads thousands of classes before it does anything. */
const TIMEOUT_MS = 180_000;

async function valuesOf(bootstrap: string, isolation: 'read_committed' | 'read_uncommitted'): Promise<string[]> {
  const printed = await run('kcat', [
    ...['-C', '-b', bootstrap, '-t', OUTPUT, '-X', `isolation.level=${isolation}`],
    ...['-o', 'beginning', '-e', '-q', '-f', '%s\n'],
  ]);
  return printed.split('\n').slice(0, -1);
}

/** Sends a round's records, and has the job fail at one in the middle. */
async function sendAndFail(stage: Stage, job: JavaProgram, sent: string[], round: number): Promise<void> {
  for (let portion = 0; portion < PORTIONS; portion += 1) {
    if (portion === PORTIONS / 2) {
      await job.ask('fail');
    }
    const more = Array.from({ length: RECORDS_PER_PORTION }, (_, at) => `${round}-${portion}-${at}`);
    sent.push(...more);
    const input = more.map((value) => `${value}\n`).join('');
    await run('kcat', ['-P', '-b', stage.bootstrap, '-t', INPUT, '-X', 'enable.idempotence=true'], { input });
    await new Promise((resolve) => setTimeout(resolve, PORTION_INTERVAL_MS));
  }
}

/** @throws when a record is lost or doubled, or when the job does not go on after a failure */
export async function runFlink(stage: Stage, { rounds, report }: RoundsOptions): Promise<void> {
  const classPath = await javaClassPath(join(import.meta.dirname, 'java/FlinkCopy.java'), flinkJars());
  await stage.admin.createTopics({ topics: [INPUT, OUTPUT].map((topic) => ({ topic, numPartitions: PARTITIONS })) });
  const checkpoints = join(stage.home, 'flink-checkpoints');
  const job = new JavaProgram(classPath, 'FlinkCopy', [stage.bootstrap, INPUT, OUTPUT, checkpoints]);
  const sent: string[] = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await sendAndFail(stage, job, sent, round);
      const hasFailed = async () => Number((await job.ask('failures'))[0]) === round;
      await until('the job has failed', hasFailed, TIMEOUT_MS);
      const hasAll = async () => (await valuesOf(stage.bootstrap, 'read_committed')).length >= sent.length;
      await until('all records are copied', hasAll, TIMEOUT_MS);
      const found = await valuesOf(stage.bootstrap, 'read_committed');
      if (found.sort().join('\n') !== [...sent].sort().join('\n')) {
        throw new Error(`Flink copied ${found.length} records of ${sent.length}, and not each once`);
      }
      const aborted = (await valuesOf(stage.bootstrap, 'read_uncommitted')).length - found.length;
      const figures = { records: found.length, failures: round, 'aborted records': aborted };
      report({ part: 'flink', round, figures, sizes: await stage.sizes('flink-'), compacted: [] });
    }
  } finally {
    await job.kill();
  }
}
