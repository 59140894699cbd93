// Reads the objects that xml2js makes of XML: children by name as lists, attributes under `$`, text under `_`. Pure.

/** The children of that name. */
export function elementsIn(parent: unknown, name: string): unknown[] {
  const found = memberOf(parent, name);
  return Array.isArray(found) ? found : found === undefined ? [] : [found];
}

/** Empty if there is no such attribute. */
export function attributeOf(element: unknown, name: string): string {
  const value = memberOf(memberOf(element, '$'), name);
  return typeof value === 'string' ? value : '';
}

/** An element without attributes is its text. */
export function textOf(element: unknown): string {
  const text = typeof element === 'string' ? element : memberOf(element, '_');
  return typeof text === 'string' ? text : '';
}

/** Whether an element holds text and no other elements. */
export function isText(element: unknown): boolean {
  if (typeof element === 'string') {
    return true;
  }
  return (
    typeof element === 'object' && element !== null && Object.keys(element).every((key) => key === '$' || key === '_')
  );
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
