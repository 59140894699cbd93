// Plants all mutants in a copy of the agent, each behind a switch of its own, so that one build holds all of them. The agent's own source
// never contains a switch.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant, SourceChange } from './mutants.ts';

export const root = new URL('../../../', import.meta.url).pathname;

/** Stands for the switch in a rewritten place. */
export const IS_MUTANT = 'IS_MUTANT';

/** The environment variable that names the mutant that a process is. */
export const MUTANT_VARIABLE = 'PENSTOCK_AGENT_MUTANT';

interface Replacement {
  at: number;
  change: SourceChange;
  text: string;
}

/** The changed files: paths from the root of the repository, and their texts.
 * @throws Error when the text to change does not occur exactly once, or when two changes overlap */
export function plantMutants(mutants: readonly Mutant[]): Map<string, string> {
  const replacements = new Map<string, Replacement[]>();
  for (const { name, changes } of mutants) {
    for (const change of changes) {
      const source = readFileSync(join(root, change.file), 'utf8');
      const places = source.split(change.from).length - 1;
      if (places !== 1) {
        throw new Error(`${name}: its text stands ${places} times in ${change.file}; bring the change up to the code`);
      }
      const found = replacements.get(change.file) ?? [];
      found.push({ at: source.indexOf(change.from), change, text: switched(name, change) });
      replacements.set(change.file, found);
    }
  }
  return new Map([...replacements].map(([file, found]) => [file, replaced(file, found)]));
}

function replaced(file: string, replacements: Replacement[]): string {
  const source = readFileSync(join(root, file), 'utf8');
  let [text, end] = ['', 0];
  for (const { at, change, text: replacement } of replacements.toSorted((one, other) => one.at - other.at)) {
    if (at < end) {
      throw new Error(`two mutants change the same text of ${file}: ${change.from}`);
    }
    text += source.slice(end, at) + replacement;
    end = at + change.from.length;
  }
  return text + source.slice(end);
}

/** The changed code, behind its switch. */
function switched(name: string, change: SourceChange): string {
  const isMutant = `({ static IS_MUTANT: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| std::env::var_os("${MUTANT_VARIABLE}").is_some_and(|name| name == "${name}")); *IS_MUTANT })`;
  if ('to' in change) {
    return change.to.replaceAll(IS_MUTANT, () => isMutant);
  }
  const choice = `if ${isMutant} { ${change.instead} } else { ${change.from} }`;
  return /[;}]$/.test(change.from) ? choice : `(${choice})`;
}
