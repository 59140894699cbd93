// What agents send to the metadata service, field by field, parsed from the contract. Implements only the protobuf grammar that this file
// uses.

export interface SentField {
  /** The path through nested messages, with `[]` for repeated ones: `topics[].configs[].name`. */
  path: string;
  type: string;
  /** The contract's comment; empty when the name is enough. */
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

/** Fields by message. Enums count as messages without fields, which is correct here because they are sent as numbers. */
function messagesOf(source: string): Map<string, Field[]> {
  const messages = new Map<string, Field[]>();
  // Treats a message on one line like one on three.
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

/** Every call of the service that agents use, with all fields of its request. */
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
