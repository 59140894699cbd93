// Names that come from Kafka clients and are shown to people.

/** Control characters, and characters that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Whether the text has at most so many characters, and only such that can be shown. */
export function isPrintable(text: string, maxLength: number): boolean {
  return !isLonger(text, maxLength) && !UNPRINTABLE.test(text);
}

/** Agents count characters; JavaScript counts some of them as two. */
function isLonger(text: string, maxLength: number): boolean {
  return [...text.slice(0, 2 * maxLength + 2)].length > maxLength;
}
