// Reads the body of a PATCH request.
import { attributesOf, listOf } from './attributes.ts';
import { type PatchPath, parsePatchPath } from './patch-path.ts';
import { invalidValue, ScimRefusal } from './scim-error.ts';

export interface PatchOperation {
  kind: 'add' | 'replace' | 'remove';
  path: PatchPath;
  value: unknown;
}

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const MAX_OPERATIONS = 1_000;

/**
 * One operation for each attribute: an operation without a path names several. Those on extensions are left out.
 * @throws ScimRefusal
 */
export function patchOperationsOf(body: unknown): PatchOperation[] {
  const attributes = attributesOf(body, 'The body');
  if (!listOf(attributes.get('schemas')).includes(PATCH_SCHEMA)) {
    throw new ScimRefusal(400, 'invalidSyntax', `The body’s schemas must contain ${PATCH_SCHEMA}.`);
  }
  const operations = attributes.get('operations');
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS) {
    throw new ScimRefusal(400, 'invalidSyntax', `Operations must be a list of 1 to ${MAX_OPERATIONS} operations.`);
  }
  return operations.flatMap(operationsIn);
}

function operationsIn(operation: unknown): PatchOperation[] {
  const attributes = attributesOf(operation, 'An operation');
  const kind = kindOf(attributes.get('op'));
  const value = attributes.get('value');
  const given = attributes.get('path');
  if (kind === 'remove' && given === undefined) {
    throw new ScimRefusal(400, 'invalidPath', 'To remove something, name its path.');
  }
  if (kind === 'add' && value === undefined) {
    throw invalidValue('To add something, give its value.');
  }
  if (given !== undefined) {
    const path = parsePatchPath(given);
    return path === null ? [] : [{ kind, path, value }];
  }
  // Okta and Entra ID repeat attributes here that nobody may change.
  return [...attributesOf(value, 'The value of an operation without a path')]
    .filter(([name]) => !['schemas', 'id', 'meta'].includes(name))
    .flatMap(([name, part]) => {
      const path = parsePatchPath(name);
      return path === null ? [] : [{ kind, path, value: part }];
    });
}

/** Entra ID writes them with a capital letter. */
function kindOf(op: unknown): PatchOperation['kind'] {
  const kind = String(op).toLowerCase();
  if (kind === 'add' || kind === 'replace' || kind === 'remove') {
    return kind;
  }
  throw new ScimRefusal(400, 'invalidSyntax', 'op must be add, replace or remove.');
}
