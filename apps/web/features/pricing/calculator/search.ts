// Finds assumptions by what they are called, explained by or taken from. Pure.
import type { InputSpec } from '@penstock/pricing';

/** The words of a query, lower case; empty for a blank one. */
export function wordsOf(query: string): readonly string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Whether every word appears somewhere in the texts. */
export function holdsWords(texts: readonly string[], words: readonly string[]): boolean {
  const all = texts.join(' ').toLowerCase();
  return words.every((word) => all.includes(word));
}

/** Whether an input is meant by the words: its label, explanation, source, unit or options hold them all. */
export function isMeant(spec: InputSpec, words: readonly string[]): boolean {
  const own =
    spec.kind === 'number' ? [spec.unit] : spec.kind === 'choice' ? spec.options.map((option) => option.label) : [];
  return holdsWords([spec.label, spec.help, spec.source, spec.key, ...own], words);
}
