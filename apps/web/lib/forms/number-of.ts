/** The whole number in a text field; NaN for anything else, so that the field's schema reports it. */
export function numberOf(text: string): number {
  return /^-?\d+$/.test(text.trim()) ? Number(text.trim()) : Number.NaN;
}
