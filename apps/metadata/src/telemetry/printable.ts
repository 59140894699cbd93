// Names that come from Kafka clients and are shown to people.

/** Control characters, and characters that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const EVERY_UNPRINTABLE = new RegExp(UNPRINTABLE, 'gu');

/** Whether the text has at most so many characters, and only such that can be shown. */
export function isPrintable(text: string, maxLength: number): boolean {
  return isShort(text, maxLength) && !UNPRINTABLE.test(text);
}

/** The text with U+FFFD for each character that cannot be shown, so that no name passes for another one. */
export function printable(text: string): string {
  return text.replaceAll(EVERY_UNPRINTABLE, '\ufffd');
}

/** Whether the text has at most so many characters. Agents count characters; JavaScript counts some of them as two. */
export function isShort(text: string, maxLength: number): boolean {
  return [...text.slice(0, 2 * maxLength + 2)].length <= maxLength;
}
