// What our SCIM endpoint says about itself: ServiceProviderConfig, ResourceTypes and Schemas (RFC 7643, sections 5 to 7).
import { GROUP_SCHEMA } from './group-document.ts';
import { USER_SCHEMA } from './user-document.ts';

export const MAX_RESULTS = 200;

interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'reference';
  multiValued: boolean;
  description: string;
  required: boolean;
  mutability: 'readWrite' | 'readOnly' | 'immutable';
  returned: 'default' | 'always';
  caseExact?: boolean;
  uniqueness?: 'none' | 'server';
  referenceTypes?: string[];
  subAttributes?: Attribute[];
}

function attribute(
  name: string,
  type: Attribute['type'],
  description: string,
  more: Partial<Attribute> = {},
): Attribute {
  const isText = type === 'string' || type === 'reference';
  return {
    name,
    type,
    multiValued: false,
    description,
    required: false,
    mutability: 'readWrite',
    returned: 'default',
    ...(isText ? { caseExact: false, uniqueness: 'none' } : {}),
    ...more,
  };
}

const readOnly = { mutability: 'readOnly' } as const;

const userAttributes: readonly Attribute[] = [
  attribute('userName', 'string', 'Unique in the organization.', { required: true, uniqueness: 'server' }),
  attribute('name', 'complex', 'The parts of the name.', {
    subAttributes: [
      attribute('formatted', 'string', 'The full name.'),
      attribute('familyName', 'string', 'The family name.'),
      attribute('givenName', 'string', 'The given name.'),
    ],
  }),
  attribute('displayName', 'string', 'The name to show.'),
  attribute('active', 'boolean', 'Whether the person may open the organization.'),
  attribute('emails', 'complex', 'One address, in a verified domain of the organization.', {
    multiValued: true,
    subAttributes: [
      attribute('value', 'string', 'The address.'),
      attribute('type', 'string', 'work, or another use.'),
      attribute('primary', 'boolean', 'Whether this address is preferred.'),
    ],
  }),
  attribute('groups', 'complex', 'The provisioned groups that the person is in.', {
    multiValued: true,
    ...readOnly,
    subAttributes: [
      attribute('value', 'string', 'The id of the group.', readOnly),
      attribute('$ref', 'reference', 'The URL of the group.', { ...readOnly, referenceTypes: ['Group'] }),
      attribute('display', 'string', 'The name of the group.', readOnly),
      attribute('type', 'string', 'direct.', readOnly),
    ],
  }),
];

const groupAttributes: readonly Attribute[] = [
  attribute('displayName', 'string', 'Unique in the organization. Role mappings name it.', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('members', 'complex', 'The users in the group.', {
    multiValued: true,
    subAttributes: [
      attribute('value', 'string', 'The id of the user.', { mutability: 'immutable' }),
      attribute('$ref', 'reference', 'The URL of the user.', { mutability: 'immutable', referenceTypes: ['User'] }),
      attribute('display', 'string', 'The name of the user.', readOnly),
      attribute('type', 'string', 'User.', { mutability: 'immutable' }),
    ],
  }),
];

type Resource = Record<string, unknown> & { id: string };

export function serviceProviderConfig(base: string, documentationUri: string): Record<string, unknown> {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    documentationUri,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'SCIM token',
        description: 'A token from the Organization page, as a bearer token.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

export function resourceTypes(base: string): Resource[] {
  const type = (name: 'User' | 'Group', schema: string): Resource => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint: `/${name}s`,
    description: name === 'User' ? 'A person of the organization.' : 'A group that decides roles.',
    schema,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  });
  return [type('User', USER_SCHEMA), type('Group', GROUP_SCHEMA)];
}

export function schemas(base: string): Resource[] {
  const schema = (id: string, name: string, description: string, attributes: readonly Attribute[]): Resource => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  });
  return [
    schema(USER_SCHEMA, 'User', 'A person of the organization.', userAttributes),
    schema(GROUP_SCHEMA, 'Group', 'A group that decides roles.', groupAttributes),
  ];
}
