// Groups in SCIM's form.
import type { ScimGroup, ScimGroupFacts } from '@penstock/identity';
import { attributesOf, listOf, requiredText, textOf } from './attributes.ts';
import type { PatchOperation } from './patch-operations.ts';
import { invalidPath, ScimRefusal } from './scim-error.ts';

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** The facts in the body of POST and PUT. @throws ScimRefusal */
export function readGroup(body: unknown): ScimGroupFacts {
  const attributes = attributesOf(body, 'The body');
  return {
    displayName: requiredText(attributes.get('displayname'), 'displayName'),
    externalId: textOf(attributes.get('externalid'), 'externalId'),
    memberIds: idsOf(attributes.get('members')),
  };
}

/** The facts after a PATCH. @throws ScimRefusal */
export function patchGroup(group: ScimGroup, operations: readonly PatchOperation[]): ScimGroupFacts {
  let { displayName, externalId } = group;
  const members = new Set(group.members.map(({ id }) => id));
  for (const operation of operations) {
    const { kind, path, value } = operation;
    const given = kind === 'remove' ? undefined : value;
    if (['id', 'meta', 'schemas'].includes(path.attribute)) {
      throw new ScimRefusal(400, 'mutability', `${path.attribute} can’t be changed.`);
    }
    if (path.attribute === 'members') {
      applyToMembers(members, operation);
    } else if (path.filter !== null || path.subAttribute !== null) {
      throw invalidPath(`${path.attribute} has no values or sub-attributes.`);
    } else if (path.attribute === 'displayname') {
      displayName = requiredText(given, 'displayName');
    } else if (path.attribute === 'externalid') {
      externalId = textOf(given, 'externalId');
    } else {
      throw invalidPath(`Groups have no attribute ${path.attribute.slice(0, 100)}.`);
    }
  }
  return { displayName, externalId, memberIds: [...members] };
}

function applyToMembers(members: Set<string>, { kind, path: { filter, subAttribute }, value }: PatchOperation): void {
  if (subAttribute !== null && subAttribute !== 'value') {
    throw invalidPath('Of a member, only the value can be changed.');
  }
  if (filter !== null && (filter.attribute !== 'value' || kind !== 'remove')) {
    throw invalidPath('Members are removed by members[value eq "id"], and added by their list.');
  }
  const ids = idsOf(value);
  if (kind === 'add') {
    for (const id of ids) {
      members.add(id);
    }
  } else if (filter !== null) {
    members.delete(filter.value);
  } else if (kind === 'remove' && ids.length > 0) {
    // Entra ID names those to remove in the value.
    for (const id of ids) {
      members.delete(id);
    }
  } else {
    members.clear();
    for (const id of ids) {
      members.add(id);
    }
  }
}

function idsOf(value: unknown): string[] {
  return listOf(value).map((member) =>
    requiredText(
      typeof member === 'string' ? member : attributesOf(member, 'A member').get('value'),
      'The value of a member',
    ),
  );
}

/** @param base the URL of our SCIM endpoint */
export function renderGroup(group: ScimGroup, base: string): Record<string, unknown> {
  const { id, displayName, externalId, members, createdAt, updatedAt } = group;
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId === null ? {} : { externalId }),
    displayName,
    members: members.map((member) => ({
      value: member.id,
      $ref: `${base}/Users/${member.id}`,
      display: member.userName,
      type: 'User',
    })),
    meta: {
      resourceType: 'Group',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: `${base}/Groups/${id}`,
    },
  };
}
