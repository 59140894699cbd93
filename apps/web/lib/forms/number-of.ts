/** The whole number that a text field holds; NaN when it holds anything else, so that the rule of the field can say so. */
export function numberOf(text: string): number {
  return /^-?\d+$/.test(text.trim()) ? Number(text.trim()) : Number.NaN;
}
