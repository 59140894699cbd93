import { describe, expect, it } from 'vitest';
import { buildRequest } from './build-request.ts';
import { type OpenApiDocument, prepareReference } from './prepare-reference.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const document: OpenApiDocument = {
  info: { description: 'All of it.' },
  tags: [{ name: 'Clusters' }, { name: 'Agent keys' }],
  paths: {
    '/clusters': {
      get: {
        operationId: 'listClusters',
        tags: ['Clusters'],
        summary: 'Clusters',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', default: 50, minimum: 1, maximum: 100 } },
        ],
        responses: {
          '200': {
            description: 'A page',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { items: { type: 'array', items: ref('Cluster') }, nextCursor: { type: 'string' } },
                },
              },
            },
          },
          '404': { $ref: '#/components/responses/Problem404' },
        },
      },
    },
    '/clusters/{clusterId}/keys': {
      post: {
        operationId: 'createAgentKey',
        tags: ['Agent keys'],
        parameters: [
          { name: 'clusterId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
          { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } },
        ],
        requestBody: {
          content: {
            'application/json': {
              example: { name: 'staging' },
              schema: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: { type: 'string', maxLength: 64, description: 'For people.' },
                  tags: { type: 'array', items: { type: 'object', properties: { key: { type: 'string' } } } },
                },
              },
            },
          },
        },
        responses: { '204': { description: 'Done' } },
      },
    },
  },
  components: {
    schemas: {
      Topic: { type: 'object' },
      Cluster: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          deletedAt: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
          count: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
          state: { enum: ['a', 'b'] },
        },
      },
    },
    responses: {
      Problem404: {
        description: 'Not found',
        content: { 'application/problem+json': { schema: ref('Cluster') } },
      },
    },
  },
};

describe('the reference', () => {
  const { sections, schemas } = prepareReference(document);
  const [list, create] = sections.flatMap(({ operations }) => operations);

  it('lists every operation under its tag with its own anchor', () => {
    expect(sections.map(({ tag, operations }) => [tag, operations.map(({ anchor }) => anchor)])).toEqual([
      ['Clusters', ['operations-Clusters-listClusters']],
      ['Agent keys', ['operations-Agent_keys-createAgentKey']],
    ]);
  });

  it('states the constraints of a parameter', () => {
    expect(list?.parameters).toEqual([
      { name: 'limit', place: 'query', type: 'integer', isRequired: false, note: '1 to 100. Default: 50.' },
    ]);
  });

  it('names the schemas of responses, including shared errors', () => {
    expect(list?.answers).toEqual([
      { status: '200', text: 'A page', content: { type: 'page of Cluster', schemas: ['Cluster'] } },
      { status: '404', text: 'Not found', content: { type: 'Cluster', schemas: ['Cluster'] } },
    ]);
    expect(create?.answers).toEqual([{ status: '204', text: 'Done', content: null }]);
  });

  it('lists a body’s fields with an example, also inside lists', () => {
    expect(create?.body?.fields.map(({ name, type, note }) => [name, type, note])).toEqual([
      ['name', 'string', 'For people. At most 64 characters.'],
      ['tags', 'list of object', ''],
      ['tags[].key', 'string', ''],
    ]);
    expect(create?.body?.example).toBe('{\n  "name": "staging"\n}');
  });

  // Bounds that only repeat the safe-integer range.
  it('lists schemas by name without redundant integer bounds', () => {
    expect(schemas.map(({ name }) => name)).toEqual(['Cluster', 'Topic']);
    expect(schemas[0]?.fields.map(({ name, type, note, isRequired }) => [name, type, note, isRequired])).toEqual([
      ['id', 'uuid', '', true],
      ['deletedAt', 'date-time or null', '', false],
      ['count', 'integer', '', false],
      ['state', '"a" or "b"', '', false],
    ]);
  });
});

describe('building a request', () => {
  const create = prepareReference(document).sections[1]?.operations[0];
  const typed = { key: 'psk', values: { clusterId: 'a/b', 'Idempotency-Key': 'once' }, body: '{}' };
  const built = (change: Partial<typeof typed>) => {
    if (create === undefined) {
      throw new Error('the fixture has it');
    }
    return buildRequest(create, { ...typed, ...change });
  };

  it('sends the key, the parameters in their places, and the body', () => {
    expect(built({})).toEqual({
      request: {
        method: 'POST',
        url: '/api/v1/clusters/a%2Fb/keys',
        headers: { authorization: 'Bearer psk', 'content-type': 'application/json', 'Idempotency-Key': 'once' },
        body: '{}',
      },
    });
  });

  it('fails while a value is missing or the body is not JSON', () => {
    expect(built({ values: { clusterId: '', 'Idempotency-Key': '' } })).toEqual({ fault: 'Enter clusterId.' });
    expect(built({ body: '{' })).toEqual({ fault: 'The body is not valid JSON.' });
  });
});
