// Prints the SBOM of the agent's binary, or of its image if its Debian packages are given. The image's build calls it.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cargoParts } from './cargo-parts.ts';
import { cyclonedxOf } from './cyclonedx.ts';
import { debianParts } from './debian-parts.ts';
import { joinInventories } from './inventory.ts';

const { values } = parseArgs({
  options: {
    version: { type: 'string' },
    /** Output of `cargo tree` with `cargoTreeArguments`. */
    'cargo-tree': { type: 'string' },
    'cargo-lock': { type: 'string' },
    /** Lines of name, version and architecture, as `debianParts` reads them. */
    'debian-packages': { type: 'string' },
    /** The release that they are from, such as 12. */
    'debian-release': { type: 'string' },
  },
});

function required(option: keyof typeof values): string {
  const value = values[option];
  if (value === undefined) {
    throw new Error(`--${option} is missing`);
  }
  return value;
}

const read = (option: keyof typeof values): string => readFileSync(required(option), 'utf8');
const version = required('version');
const binary = cargoParts(read('cargo-tree'), read('cargo-lock'));
const text =
  values['debian-packages'] === undefined
    ? cyclonedxOf({ name: 'penstock', version, kind: 'application' }, binary, new Date())
    : cyclonedxOf(
        { name: 'penstock-agent', version, kind: 'container' },
        joinInventories(binary, debianParts(read('debian-packages'), required('debian-release'))),
        new Date(),
      );
process.stdout.write(text);
