// Checks documents against CycloneDX's own JSON schema, for tests.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

const library = dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'));

/** The schemas as the library ships them: that of CycloneDX 1.6, and those that it refers to. */
function schema(name: string): object {
  return JSON.parse(readFileSync(join(library, 'res/schema', `${name}.SNAPSHOT.schema.json`), 'utf8'));
}

let validate: ValidateFunction | undefined;

/** Returns the violations of the CycloneDX 1.6 schema; empty for a valid document. */
export function schemaFaults(document: string): string[] {
  if (validate === undefined) {
    const ajv = new Ajv({ strict: false });
    for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs']) {
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    }
    addFormats.default(ajv);
    // Not checked: there are no such values in our documents, except for URLs that are checked elsewhere.
    ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
    validate = ajv.compile(schema('bom-1.6'));
  }
  validate(JSON.parse(document));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
