// What transactions promise of the output of consume-transform-produce loops: every input record is in it once, and nothing else is.

export interface OutputRecord {
  partition: number;
  offset: number;
  /** `partition/offset` of the input record that it was made of. */
  value: string;
}

export interface Evidence {
  /** Records of each input partition: its end offset. */
  inputEnds: readonly number[];
  /** The offsets that the loops' group has committed for each input partition. */
  committed: readonly number[];
  /** All of the output at read_committed, once for each client that read it. */
  outputs: Readonly<Record<string, readonly OutputRecord[]>>;
  /** The records that a read_committed reader saw while the loops ran. A record may occur more than once. */
  followed: readonly OutputRecord[];
}

/** Cases that are named, of each kind. */
const NAMED = 5;

/** One line for each broken promise; empty when all were kept. */
export function judgeOutput({ inputEnds, committed, outputs, followed }: Evidence): string[] {
  const wrong: string[] = [];
  const blame = (what: string, cases: readonly string[]): void => {
    if (cases.length > 0) {
      wrong.push(`${cases.length} ${what}: ${cases.slice(0, NAMED).join(', ')}`);
    }
  };
  blame(
    'input partitions whose committed offset is not their end',
    inputEnds.flatMap((end, partition) =>
      committed[partition] === end ? [] : [`${partition} at ${committed[partition]} of ${end}`],
    ),
  );
  const expected = inputEnds.flatMap((end, partition) =>
    [...Array(end).keys()].map((offset) => `${partition}/${offset}`),
  );
  for (const [reader, records] of Object.entries(outputs)) {
    const times = new Map<string, number>();
    for (const { value } of records) {
      times.set(value, (times.get(value) ?? 0) + 1);
    }
    blame(
      `records lost, by ${reader}`,
      expected.filter((value) => !times.has(value)),
    );
    blame(
      `records doubled, by ${reader}`,
      [...times].filter(([, count]) => count > 1).map(([value]) => value),
    );
    const known = new Set(expected);
    blame(
      `records of no input, by ${reader}`,
      [...times.keys()].filter((value) => !known.has(value)),
    );
    const final = new Set(records.map(nameOf));
    blame(
      `records that a reader saw before and ${reader} did not`,
      [...new Set(followed.map(nameOf))].filter((name) => !final.has(name)),
    );
  }
  return wrong;
}

function nameOf({ partition, offset, value }: OutputRecord): string {
  return `${value} at ${partition}-${offset}`;
}

/** One line if not every key was counted exactly. */
export function judgeCounts(expected: ReadonlyMap<string, number>, counted: ReadonlyMap<string, number>): string[] {
  const keys = [...new Set([...expected.keys(), ...counted.keys()])];
  const differing = keys.filter((key) => expected.get(key) !== counted.get(key));
  const named = differing.slice(0, NAMED).map((key) => `${key}: ${counted.get(key)} of ${expected.get(key)}`);
  return differing.length === 0 ? [] : [`${differing.length} keys counted wrong: ${named.join(', ')}`];
}
