// The thread of patterns: answers one question after the other. Started and, when an answer takes too long, ended by `PatternThread`.
import { parentPort } from 'node:worker_threads';
import { Compiler, type Matches } from './patterns.ts';

export interface PatternQuestion {
  pattern: string;
  /** One per line: no topic name has a line break. Absent: only whether RE2 takes the pattern. */
  names?: string;
}

export type PatternAnswer = { kind: 'problem'; problem: string | null } | ({ kind: 'matches' } & Matches);

const compiler = new Compiler(() => performance.now());

parentPort?.on('message', ({ pattern, names }: PatternQuestion) => {
  const answer: PatternAnswer =
    names === undefined
      ? { kind: 'problem', problem: compiler.problem(pattern) }
      : { kind: 'matches', ...compiler.match(pattern, names.split('\n')) };
  parentPort?.postMessage(answer);
});
