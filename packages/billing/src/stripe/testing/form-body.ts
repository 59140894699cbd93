// Decodes Stripe's form encoding: `a[b][0]=c` is { a: { b: ['c'] } }. All leaves are text.

export type FormValue = string | FormValue[] | { [name: string]: FormValue };

/** Lists are numbered from 0, so an object with exactly these names is a list. */
function toLists(value: FormValue): FormValue {
  if (typeof value === 'string') {
    return value;
  }
  const entries = Object.entries(value).map(([name, inner]): [string, FormValue] => [name, toLists(inner)]);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** @throws RangeError for a name that is used both as a value and as an object */
export function decodeForm(text: string): Record<string, FormValue> {
  const root: { [name: string]: FormValue } = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''));
    const last = path.pop() ?? '';
    let target = root;
    for (const part of path) {
      const inner = target[part] ?? {};
      target[part] = inner;
      if (typeof inner === 'string' || Array.isArray(inner)) {
        throw new RangeError(`${name} is a value and an object`);
      }
      target = inner;
    }
    target[last] = value;
  }
  const decoded = toLists(root);
  return typeof decoded === 'string' || Array.isArray(decoded) ? {} : decoded;
}
