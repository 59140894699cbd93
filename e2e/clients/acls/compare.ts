// Compares the agent's ACL decisions with those of Apache Kafka's StandardAuthorizer.
import { join } from 'node:path';
import { root } from '../../../infra/local/paths.ts';
import { javaClassPath } from '../../../infra/local/tools.ts';
import { run } from '../support/run.ts';
import { aclCase } from './cases.ts';

/** So much at a time that starting a process for each part costs little. */
const CASES_AT_ONCE = 10_000;

export interface Comparison {
  cases: number;
  decisions: number;
  /** The number of decisions that allow. */
  allowed: number;
  /** Cases that were decided differently, with what both said. */
  different: string[];
}

/** Decides the cases with the seeds from `firstSeed` on twice, and compares. Deterministic. */
export async function compareAclDecisions(firstSeed: number, cases: number): Promise<Comparison> {
  const [classPath, agent] = await Promise.all([
    javaClassPath(join(import.meta.dirname, 'java/KafkaDecisions.java')),
    buildDecide(),
  ]);
  const flags = ['-Xmx512m', '-XX:+UseSerialGC', '-Dfile.encoding=UTF-8', '-cp', classPath, 'KafkaDecisions'];
  const comparison: Comparison = { cases, decisions: 0, allowed: 0, different: [] };
  for (let done = 0; done < cases; done += CASES_AT_ONCE) {
    const count = Math.min(CASES_AT_ONCE, cases - done);
    const seeds = Array.from({ length: count }, (_, index) => firstSeed + done + index);
    const input = `${seeds.map((seed) => aclCase(seed).join('\n')).join('\n')}\n`;
    const [kafkas, ours] = await Promise.all([run('java', flags, { input }), run(agent, [], { input })]);
    const ourLines = ours.split('\n');
    for (const [index, kafkaSays] of kafkas.trimEnd().split('\n').entries()) {
      const seed = seeds[index];
      const agentSays = ourLines[index];
      comparison.decisions += kafkaSays.length;
      comparison.allowed += kafkaSays.replaceAll('0', '').length;
      if (kafkaSays !== agentSays && seed !== undefined) {
        comparison.different.push(`seed ${seed}: Kafka ${kafkaSays}, agent ${agentSays}\n${aclCase(seed).join('\n')}`);
      }
    }
  }
  return comparison;
}

/** The crate has no dependencies, so this takes seconds. */
async function buildDecide(): Promise<string> {
  const agentFolder = join(root, 'apps/agent');
  const target = join(agentFolder, 'target/decide');
  const example = ['--package', 'penstock-authz', '--example', 'decide'];
  await run('cargo', [
    'build',
    '--manifest-path',
    join(agentFolder, 'Cargo.toml'),
    '--release',
    '--locked',
    '--offline',
    '--target-dir',
    target,
    ...example,
  ]);
  return join(target, 'release/examples/decide');
}
