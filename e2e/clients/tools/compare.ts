// What a tool printed on both systems, without what differs in every run, line by line.
import type { ToolCase } from './tool-case.ts';
import type { ToolOutput } from './tool-runner.ts';

/** Names that differ between the systems but mean the same. */
export interface SystemNames {
  bootstrap: string;
  clusterId: string;
  /** A folder of files for the tools. */
  folder: string;
}

const RANDOM: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/(TopicId:|topicId=|TopicId: )\s*[A-Za-z0-9_-]{22}/g, '$1 <topic-id>'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,:]\d{3}(Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  [/\b1[6-9]\d{11}\b/g, '<ms>'],
  [/\bconsole-consumer-\d+/g, 'console-consumer-<number>'],
  [/\b(tries=|after )\d+/g, '$1<number>'],
  // Where records are stored, and where Kafka's controller listens.
  [/("log_?dirs?":\[?)"\/[^"]*"/gi, '$1"<dir>"'],
  [/CONTROLLER:\/\/[^",\s]*/g, 'CONTROLLER://<controller>'],
  // Sets of Java come in another order in each process.
  [/only supports operations \[.*\]/g, 'only supports operations <operations>'],
  [/(SCRAM-SHA-512=iterations=\d+), (SCRAM-SHA-256=iterations=\d+)/g, '$2, $1'],
  // The admin client has two texts for its own time-out, by what it waited for.
  [/Timed out waiting for a node assignment\. Call: \w+\(api=\w+\)\./g, '<timed out>'],
  [/Call\(callName=\w+\(api=\w+\), [^)]*\) timed out at .* attempt\(s\)\./g, '<timed out>'],
  // Stack traces name the place in Kafka's source; threads have numbers.
  [/^\tat .*$/gm, ''],
  [/^\t\.\.\. \d+ more$/gm, ''],
];

/** The lines that a tool printed: where each was written, then its text. */
export function linesOf(output: ToolOutput, toolCase: ToolCase, names: SystemNames): string[] {
  const clean = (text: string): string => {
    let cleaned = text
      .replaceAll(names.folder, '<folder>')
      .replaceAll(names.bootstrap, '<host>:<port>')
      .replaceAll(new RegExp(`\\b${names.bootstrap.split(':')[1]}\\b`, 'g'), '<port>')
      .replaceAll(names.clusterId, '<cluster>');
    for (const [pattern, replacement] of [...(toolCase.hides ?? []), ...RANDOM]) {
      cleaned = cleaned.replaceAll(pattern, replacement);
    }
    return cleaned;
  };
  const of = (name: string, text: string): string[] =>
    clean(text)
      .split('\n')
      // Columns are as wide as their widest value.
      .map((line) => line.replaceAll(/[ \t]+/g, ' ').trim())
      .filter((line) => line !== '')
      .map((line) => `${name}: ${line}`);
  const lines = [...of('out', output.out), ...of('err', output.err)];
  return [...(toolCase.isUnordered === true ? lines.sort() : lines), `exit: ${output.exit}`];
}

export interface Differing {
  /** Lines that only one of them printed. */
  kafka: string[];
  penstock: string[];
}

export const OTHER_ORDER = 'the same lines in another order';

/** Undefined when they are equal. */
export function differenceOf(kafka: readonly string[], penstock: readonly string[]): Differing | undefined {
  const differing = { kafka: without(kafka, penstock), penstock: without(penstock, kafka) };
  if (differing.kafka.length + differing.penstock.length > 0) {
    return differing;
  }
  return kafka.join('\n') === penstock.join('\n') ? undefined : { kafka: [], penstock: [OTHER_ORDER] };
}

/** The lines that the others lack, each as often as it is there more often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) {
    left.set(line, (left.get(line) ?? 0) + 1);
  }
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}
