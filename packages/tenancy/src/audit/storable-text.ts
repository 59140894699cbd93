// Text that PostgreSQL can store. Audit rows often contain names chosen by clients, and Kafka allows any text in those.

/** Replaces NUL and unpaired surrogates. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** The replacer with which `JSON.stringify` writes such text. */
export function storableValue(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? storableText(value) : value;
}
