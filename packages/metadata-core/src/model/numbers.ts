// Converts numbers from the wire for the state.

/** A 64-bit value from the wire as an exact number, clamped to 2^53 - 1. NaN does not occur on the wire. */
export function toSafeInteger(value: bigint | number): number {
  const number = Number(value);
  if (number > Number.MAX_SAFE_INTEGER) {
    return Number.MAX_SAFE_INTEGER;
  }
  return number < Number.MIN_SAFE_INTEGER ? Number.MIN_SAFE_INTEGER : Math.trunc(number);
}

/** The length of a string in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      bytes += 1;
    } else if (unit < 0x800) {
      bytes += 2;
    } else if (unit >= 0xd800 && unit < 0xdc00) {
      bytes += 4;
      at += 1;
    } else {
      bytes += 3;
    }
  }
  return bytes;
}
