// Puts a mutant in place of the service's code: changes the text of one module while Node loads it. Nothing of this is in the service.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Mutant, mutantNamed } from './mutants.ts';

const root = new URL('../../../../', import.meta.url);

/**
 * Call it before the first module of the service is loaded.
 * @throws Error when there is no such mutant, or the code that it changes is not there (any more)
 */
export function installMutant(name: string): void {
  const mutant = mutantNamed(name);
  const url = new URL(mutant.file, root).href;
  const source = mutatedSource(mutant);
  registerHooks({
    load: (loaded, context, nextLoad) => {
      const result = nextLoad(loaded, context);
      return loaded === url ? { ...result, source } : result;
    },
  });
}

/** The module's text with the mutant's change. @throws Error when what it changes does not stand there exactly once */
export function mutatedSource({ name, file, from, to }: Mutant): string {
  const source = readFileSync(fileURLToPath(new URL(file, root)), 'utf8');
  const places = source.split(from).length - 1;
  if (places !== 1) {
    throw new Error(`mutant ${name}: its text stands ${places} times in ${file}; bring the mutant up to the code`);
  }
  return source.replace(from, () => to);
}
