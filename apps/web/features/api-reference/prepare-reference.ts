// Prepares the OpenAPI document for the page: sections of operations and the schemas they use. Pure.

/** The subset of JSON Schema that our document uses. */
interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  example?: unknown;
}
type Content = Readonly<Record<string, { schema?: Schema; example?: unknown }>>;
interface Response {
  $ref?: string;
  description?: string;
  content?: Content;
}
interface Operation {
  operationId: string;
  tags?: readonly string[];
  summary?: string;
  description?: string;
  parameters?: readonly {
    name: string;
    in: ReferencePlace;
    required?: boolean;
    description?: string;
    schema?: Schema;
  }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Readonly<Record<string, Response>>;
}
export interface OpenApiDocument {
  info: { description?: string };
  tags?: readonly { name: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components?: {
    schemas?: Readonly<Record<string, Schema>>;
    responses?: Readonly<Record<string, Response>>;
  };
}

export type ReferencePlace = 'path' | 'query' | 'header';

export interface ReferenceField {
  /** With its parents: `subject.agentId`, `items[].id`. */
  name: string;
  type: string;
  isRequired: boolean;
  /** Its description and constraints. */
  note: string;
}
export interface ReferenceParameter extends ReferenceField {
  place: ReferencePlace;
}
/** The type of a request or response body. */
export interface ReferenceContent {
  type: string;
  /** Schemas in the list below that the type uses. */
  schemas: string[];
  fields: ReferenceField[];
  /** JSON; null if there is none. */
  example: string | null;
}
export interface ReferenceAnswer {
  status: string;
  text: string;
  content: Pick<ReferenceContent, 'type' | 'schemas'> | null;
}
export interface ReferenceOperation {
  id: string;
  /** The anchor on the page. Links use it: `operations-Clusters-listClusters`. */
  anchor: string;
  /** The HTTP method, such as `GET`. */
  method: string;
  /** The path, such as `/clusters/{clusterId}`. */
  path: string;
  summary: string;
  description: string;
  parameters: ReferenceParameter[];
  body: ReferenceContent | null;
  answers: ReferenceAnswer[];
}
export interface ReferenceSection {
  tag: string;
  operations: ReferenceOperation[];
}
export interface ReferenceSchema {
  name: string;
  description: string;
  fields: ReferenceField[];
  example: string | null;
}
export interface Reference {
  introduction: string;
  sections: ReferenceSection[];
  schemas: ReferenceSchema[];
}

/** Below this depth, only a field's type is shown. */
const DEEPEST = 3;
const SCHEMA_PREFIX = '#/components/schemas/';
const RESPONSE_PREFIX = '#/components/responses/';

export function prepareReference(document: OpenApiDocument): Reference {
  const { schemas = {}, responses = {} } = document.components ?? {};
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags?.[0] ?? 'Other',
      operation: operationOf(path, method, operation, responses),
    })),
  );
  const tags = new Set([...(document.tags ?? []).map(({ name }) => name), ...operations.map(({ tag }) => tag)]);
  return {
    introduction: document.info.description ?? '',
    sections: [...tags].map((tag) => ({
      tag,
      operations: operations.filter((candidate) => candidate.tag === tag).map(({ operation }) => operation),
    })),
    schemas: Object.entries(schemas)
      .map(([name, schema]) => ({
        name,
        description: schema.description ?? '',
        fields: fieldsOf(schema),
        example: exampleText(schema.example),
      }))
      .sort((left, right) => left.name.localeCompare(right.name, 'en')),
  };
}

function operationOf(
  path: string,
  method: string,
  operation: Operation,
  responses: Readonly<Record<string, Response>>,
): ReferenceOperation {
  const tag = operation.tags?.[0] ?? 'Other';
  return {
    id: operation.operationId,
    anchor: `operations-${tag.replaceAll(' ', '_')}-${operation.operationId}`,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    parameters: (operation.parameters ?? []).map(({ name, in: place, required = false, description, schema = {} }) => ({
      name,
      place,
      type: typeText(schema),
      isRequired: required,
      note: noteOf({ ...schema, ...(description === undefined ? {} : { description }) }),
    })),
    body: operation.requestBody === undefined ? null : contentOf(operation.requestBody.content),
    answers: Object.entries(operation.responses).map(([status, response]) => {
      const resolved = responses[response.$ref?.slice(RESPONSE_PREFIX.length) ?? ''] ?? response;
      const content = resolved.content === undefined ? null : contentOf(resolved.content);
      return {
        status,
        text: resolved.description ?? '',
        content: content === null ? null : { type: content.type, schemas: content.schemas },
      };
    }),
  };
}

function contentOf(content: Content): ReferenceContent | null {
  const [entry] = Object.entries(content);
  if (entry === undefined) {
    return null;
  }
  const [mediaType, { schema = {}, example }] = entry;
  const isJson = mediaType.includes('json');
  return {
    type: isJson ? typeText(schema) : Object.keys(content).join(', '),
    schemas: isJson ? [...new Set(schemasIn(schema))] : [],
    fields: fieldsOf(schema),
    example: exampleText(example ?? schema.example),
  };
}

/** E.g. `string`, `date-time or null`, `list of Cluster`, `page of Cluster`. */
function typeText(schema: Schema): string {
  const { $ref, type, format, items, properties } = schema;
  if ($ref !== undefined) {
    return $ref.slice(SCHEMA_PREFIX.length);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    return [...new Set(choices.map(typeText))].join(' or ');
  }
  if (schema.const !== undefined) {
    return JSON.stringify(schema.const);
  }
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  }
  if (properties !== undefined && 'nextCursor' in properties && properties['items']?.items !== undefined) {
    return `page of ${typeText(properties['items'].items)}`;
  }
  if (items !== undefined) {
    return `list of ${typeText(items)}`;
  }
  const types = typeof type === 'string' ? [type] : (type ?? ['any']);
  return types.map((name) => (name === 'string' ? (format ?? name) : name)).join(' or ');
}

function schemasIn(schema: Schema): string[] {
  const inner = [
    schema.items,
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...Object.values(schema.properties ?? {}),
  ];
  const own = schema.$ref === undefined ? [] : [schema.$ref.slice(SCHEMA_PREFIX.length)];
  return [...own, ...inner.flatMap((part) => (part === undefined ? [] : schemasIn(part)))];
}

/** All fields of an object, including those of nested objects and lists. */
function fieldsOf(schema: Schema, prefix = '', depth = 1): ReferenceField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const inner = field.items ?? field;
    const own = {
      name: path,
      type: typeText(field),
      isRequired: schema.required?.includes(name) === true,
      note: noteOf(field),
    };
    return depth === DEEPEST
      ? [own]
      : [own, ...fieldsOf(inner, field.items === undefined ? `${path}.` : `${path}[].`, depth + 1)];
  });
}

/** Bounds at the limits of safe integers carry no information. */
function isBound(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

function noteOf(schema: Schema): string {
  const { description, minimum, maximum, maxLength } = schema;
  const bounds =
    isBound(minimum) && isBound(maximum)
      ? `${minimum} to ${maximum}.`
      : isBound(minimum)
        ? `At least ${minimum}.`
        : isBound(maximum)
          ? `At most ${maximum}.`
          : undefined;
  return [
    description,
    bounds,
    maxLength === undefined ? undefined : `At most ${maxLength} characters.`,
    schema.default === undefined ? undefined : `Default: ${JSON.stringify(schema.default)}.`,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

function exampleText(example: unknown): string | null {
  return example === undefined ? null : JSON.stringify(example, null, 2);
}
