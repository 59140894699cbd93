// Installs a mutant: changes the source text of modules while Node loads them. The service itself contains none of this.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Mutant, mutantNamed, type SourceChange } from './mutants.ts';

const root = new URL('../../../../', import.meta.url);

/**
 * Call it before the first module of the service is loaded.
 * @throws Error when there is no such mutant, or the code that it changes does not exist any more
 */
export function installMutant(name: string): Mutant {
  const mutant = mutantNamed(name);
  installChanges(mutant.guard === undefined ? [mutant] : [mutant, mutant.guard]);
  return mutant;
}

/**
 * Call it before the first module of the service is loaded.
 * @throws Error when the code that a change replaces does not exist any more
 */
export function installChanges(changes: readonly SourceChange[]): void {
  const sources = new Map<string, string>();
  for (const change of changes) {
    const url = new URL(change.file, root).href;
    sources.set(url, mutatedSource(change, sources.get(url)));
  }
  registerHooks({
    load: (loaded, context, nextLoad) => {
      const result = nextLoad(loaded, context);
      const source = sources.get(loaded);
      return source === undefined ? result : { ...result, source };
    },
  });
}

/**
 * A module's text with a change applied.
 * @param source the text after an earlier change; absent: as in the file
 * @throws Error when the text to change does not occur exactly once
 */
export function mutatedSource({ name, file, from, to }: SourceChange, source?: string): string {
  const text = source ?? readFileSync(fileURLToPath(new URL(file, root)), 'utf8');
  const places = text.split(from).length - 1;
  if (places !== 1) {
    throw new Error(`${name}: its text stands ${places} times in ${file}; bring the change up to the code`);
  }
  return text.replace(from, () => to);
}
