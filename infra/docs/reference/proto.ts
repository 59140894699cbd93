// What agents send to the metadata service, field by field, read from the contract. Enough of protobuf's grammar for that one file.

export interface SentField {
  /** Through nested messages, `[]` where there are many: `topics[].configs[].name`. */
  path: string;
  type: string;
  /** What the contract says of it; empty where the name says all. */
  note: string;
}

export interface SentCall {
  name: string;
  fields: SentField[];
}

interface Field {
  type: string;
  name: string;
  isRepeated: boolean;
  note: string;
}

const fieldLine = /^\s*(repeated |optional )?([A-Za-z0-9_.]+) ([a-z0-9_]+) = \d+;\s*(?:\/\/ ?(.*))?$/;

/** Fields by message. Enums are messages without fields, which is right here: they are sent as numbers. */
function messagesOf(source: string): Map<string, Field[]> {
  const messages = new Map<string, Field[]>();
  // A message on one line as one on three.
  const spread = source.replaceAll(/^(message \w+ \{) (.*;) (\}.*)$/gm, '$1\n$2\n$3');
  let current: Field[] | undefined;
  let depth = 0;
  let above: string[] = [];
  for (const line of spread.split('\n')) {
    const begin = /^message (\w+) \{(\})?/.exec(line);
    const comment = /^\s*\/\/ ?(.*)$/.exec(line)?.[1];
    const field = fieldLine.exec(line);
    if (begin !== null) {
      current = [];
      depth = begin[2] === undefined ? 1 : 0;
      messages.set(begin[1] ?? '', current);
    } else if (comment !== undefined) {
      above.push(comment);
      continue;
    } else if (current !== undefined && depth === 1 && field !== null) {
      const [, label, type = '', name = '', note] = field;
      current.push({ type, name, isRepeated: label === 'repeated ', note: note ?? above.join(' ') });
    } else if (current !== undefined) {
      depth += (line.match(/\{/g)?.length ?? 0) - (line.match(/\}/g)?.length ?? 0);
    }
    above = [];
  }
  return messages;
}

/** Every call of the service that agents use, with all that a request can hold. */
export function sentCalls(source: string, service: string): SentCall[] {
  const messages = messagesOf(source);
  const flatten = (message: string, prefix: string): SentField[] =>
    (messages.get(message) ?? []).flatMap(({ type, name, isRepeated, note }) => {
      const path = `${prefix}${name}${isRepeated ? '[]' : ''}`;
      const nested = messages.get(type) ?? [];
      return nested.length > 0 ? flatten(type, `${path}.`) : [{ path, type, note }];
    });
  const body = new RegExp(`service ${service} \\{([\\s\\S]*?)\\n\\}`).exec(source)?.[1] ?? '';
  const calls = [...body.matchAll(/rpc (\w+)\((\w+)\)/g)];
  if (calls.length === 0) {
    throw new Error(`The contract has no service ${service}`);
  }
  return calls.map(([, name = '', request = '']) => {
    if (!messages.has(request)) {
      throw new Error(`The contract lacks ${request}`);
    }
    return { name, fields: flatten(request, '') };
  });
}
