// Users in SCIM’s form. We keep the user name, external id, names, one email address and whether the person is active; other
// attributes are ignored, as RFC 7644 (section 3.3) allows.
import type { ScimUser, ScimUserFacts } from '@penstock/identity';
import { type Attributes, attributesOf, flagOf, listOf, requiredText, textOf } from './attributes.ts';
import type { PatchOperation } from './patch-operations.ts';
import { invalidPath, invalidValue, ScimRefusal } from './scim-error.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

interface Email {
  value: string;
  type: string | null;
  isPrimary: boolean;
}

/** A user while it is read or patched. */
type Draft = Omit<ScimUserFacts, 'addresses'> & { emails: Email[] };

const MAX_EMAILS = 20;

/** The texts of a user, by attribute and sub-attribute in lower case. */
const texts = {
  username: 'userName',
  externalid: 'externalId',
  displayname: 'displayName',
  'name.formatted': 'formattedName',
  'name.givenname': 'givenName',
  'name.familyname': 'familyName',
} as const satisfies Record<string, keyof Draft>;

const isText = (name: string): name is keyof typeof texts => Object.hasOwn(texts, name);

/** Attributes of the core schema that we don't keep. */
const ignored: ReadonlySet<string> = new Set([
  'nickname',
  'profileurl',
  'title',
  'usertype',
  'preferredlanguage',
  'locale',
  'timezone',
  'password',
  'phonenumbers',
  'ims',
  'photos',
  'addresses',
  'entitlements',
  'roles',
  'x509certificates',
]);

/** Attributes that only we set. */
const readOnly: ReadonlySet<string> = new Set(['id', 'meta', 'groups', 'schemas']);

/**
 * The facts in the body of POST and PUT.
 * @param isActive if the body doesn't say
 * @throws ScimRefusal
 */
export function readUser(body: unknown, { isActive }: { isActive: boolean }): ScimUserFacts {
  const attributes = attributesOf(body, 'The body');
  const name = attributesOf(attributes.get('name') ?? {}, 'name');
  const draft: Draft = {
    userName: requiredText(attributes.get('username'), 'userName'),
    externalId: textOf(attributes.get('externalid'), 'externalId'),
    displayName: textOf(attributes.get('displayname'), 'displayName'),
    formattedName: textOf(name.get('formatted'), 'name.formatted'),
    givenName: textOf(name.get('givenname'), 'name.givenName'),
    familyName: textOf(name.get('familyname'), 'name.familyName'),
    isActive: attributes.has('active') ? flagOf(attributes.get('active'), 'active') : isActive,
    emails: emailsOf(attributes.get('emails')),
  };
  return factsOf(draft);
}

/** The facts after a PATCH. @throws ScimRefusal */
export function patchUser(user: ScimUser, operations: readonly PatchOperation[]): ScimUserFacts {
  const draft = draftOf(user);
  for (const operation of operations) {
    apply(draft, operation);
  }
  return factsOf(draft);
}

function draftOf({
  userName,
  externalId,
  displayName,
  formattedName,
  givenName,
  familyName,
  ...user
}: ScimUser): Draft {
  const emails = [{ value: user.address, type: 'work', isPrimary: true }];
  const names = { displayName, formattedName, givenName, familyName };
  return { userName, externalId, ...names, isActive: user.isActive, emails };
}

/** The primary address is preferred, then the one for work. */
function factsOf({ emails, ...facts }: Draft): ScimUserFacts {
  const rank = ({ isPrimary, type }: Email): number => (isPrimary ? 0 : type === 'work' ? 1 : 2);
  const addresses = emails.toSorted((one, other) => rank(one) - rank(other)).map(({ value }) => value.toLowerCase());
  return { ...facts, addresses };
}

function emailsOf(value: unknown): Email[] {
  const list = listOf(value);
  if (list.length > MAX_EMAILS) {
    throw invalidValue(`A user can have at most ${MAX_EMAILS} email addresses.`);
  }
  return list.flatMap((item) => {
    const attributes = typeof item === 'string' ? new Map([['value', item]]) : attributesOf(item, 'An email address');
    const email = emailOf(attributes);
    return email === null ? [] : [email];
  });
}

function emailOf(attributes: Attributes): Email | null {
  const value = textOf(attributes.get('value'), 'emails.value');
  return value === null
    ? null
    : {
        value,
        type: textOf(attributes.get('type'), 'emails.type')?.toLowerCase() ?? null,
        isPrimary: attributes.has('primary') && flagOf(attributes.get('primary'), 'emails.primary'),
      };
}

function apply(draft: Draft, operation: PatchOperation): void {
  const { kind, path, value } = operation;
  const { attribute, filter, subAttribute } = path;
  if (readOnly.has(attribute)) {
    throw new ScimRefusal(400, 'mutability', `${attribute} can’t be changed.`);
  }
  if (attribute === 'emails') {
    applyToEmails(draft, operation);
    return;
  }
  if (filter !== null && !ignored.has(attribute)) {
    throw invalidPath(`${attribute} is not a list of values.`);
  }
  const name = subAttribute === null ? attribute : `${attribute}.${subAttribute}`;
  const given = kind === 'remove' ? undefined : value;
  if (name === 'active') {
    draft.isActive = flagOf(given, 'active');
  } else if (name === 'name') {
    applyToName(draft, given);
  } else if (isText(name)) {
    setText(draft, name, given);
  } else if (!ignored.has(attribute) && attribute !== 'name') {
    throw invalidPath(`Users have no attribute ${name.slice(0, 100)}.`);
  }
}

function setText(draft: Draft, name: keyof typeof texts, value: unknown): void {
  if (name === 'username') {
    draft.userName = requiredText(value, 'userName');
  } else {
    draft[texts[name]] = textOf(value, texts[name]);
  }
}

/** A name without value is removed. One with sub-attributes changes those. */
function applyToName(draft: Draft, value: unknown): void {
  const parts = value === undefined ? null : attributesOf(value, 'name');
  for (const part of ['formatted', 'givenname', 'familyname'] as const) {
    if (parts === null || parts.has(part)) {
      setText(draft, `name.${part}`, parts?.get(part));
    }
  }
}

function applyToEmails(draft: Draft, { kind, path: { filter, subAttribute }, value }: PatchOperation): void {
  const isMeant = (email: Email): boolean =>
    filter === null || String(emailAttribute(email, filter.attribute)).toLowerCase() === filter.value.toLowerCase();
  const isRemoved = kind === 'remove' || value === undefined || value === null;
  if (isRemoved && subAttribute === null) {
    const listed = new Set(emailsOf(value).map((email) => email.value.toLowerCase()));
    draft.emails = draft.emails.filter(
      (email) => !isMeant(email) || (listed.size > 0 && !listed.has(email.value.toLowerCase())),
    );
    return;
  }
  if (filter === null && subAttribute === null) {
    draft.emails = kind === 'add' ? [...draft.emails, ...emailsOf(value)] : emailsOf(value);
    return;
  }
  // What we keep of an address besides its value is only its rank.
  const text = subAttribute === null ? emailOf(attributesOf(value, 'An email address'))?.value : value;
  if ((subAttribute ?? 'value') !== 'value' || isRemoved) {
    if (subAttribute !== 'value') {
      return;
    }
    draft.emails = draft.emails.filter((email) => !isMeant(email));
    return;
  }
  const address = requiredText(text, 'emails.value');
  const meant = draft.emails.filter(isMeant);
  if (meant.length === 0) {
    // RFC 7644 (section 3.5.2.3) treats a value that doesn't exist yet as added.
    const type = filter?.attribute === 'type' ? filter.value.toLowerCase() : null;
    draft.emails = [...draft.emails, { value: address, type, isPrimary: filter?.attribute === 'primary' }];
    return;
  }
  draft.emails = draft.emails.map((email) => (isMeant(email) ? { ...email, value: address } : email));
}

function emailAttribute({ value, type, isPrimary }: Email, name: string): string | boolean | null {
  switch (name) {
    case 'value':
      return value;
    case 'type':
      return type;
    case 'primary':
      return isPrimary;
    default:
      throw invalidPath('Filter email addresses by value, type or primary.');
  }
}

/** @param base the URL of our SCIM endpoint */
export function renderUser(user: ScimUser, base: string): Record<string, unknown> {
  const { id, userName, externalId, displayName, formattedName, givenName, familyName, address, isActive } = user;
  const name = without({ formatted: formattedName, givenName, familyName });
  return {
    schemas: [USER_SCHEMA],
    id,
    ...without({ externalId }),
    userName,
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...without({ displayName }),
    emails: [{ value: address, type: 'work', primary: true }],
    active: isActive,
    groups: user.groups.map((group) => ({
      value: group.id,
      $ref: `${base}/Groups/${group.id}`,
      display: group.displayName,
      type: 'direct',
    })),
    meta: {
      resourceType: 'User',
      created: user.createdAt.toISOString(),
      lastModified: user.updatedAt.toISOString(),
      location: `${base}/Users/${id}`,
    },
  };
}

/** Attributes without a value are left out. */
function without(attributes: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== null));
}
