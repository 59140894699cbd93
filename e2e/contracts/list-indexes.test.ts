// Every list that lives in PostgreSQL is read in the order of an index: the plan of a page has no sort, however many rows there are.
import { generateApiKey, newId } from '@penstock/platform';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { routes } from '../../packages/api/src/rest/routes.ts';
import { fetchRest } from '../../packages/api/src/testing/fetch-rest.ts';
import { setUpInstallation } from '../../packages/api/src/testing/installation.ts';
import { newInvoice } from '../../packages/api/src/testing/new-invoice.ts';

const installation = setUpInstallation();
const id = newId();
const early = Date.UTC(2000, 0, 1);
const late = Date.UTC(2100, 0, 1);

/** The lists in PostgreSQL, each with the key of a cursor. */
const KEYS: ReadonlyMap<string, readonly [string | number, ...(string | number)[]]> = new Map<
  string,
  [string | number, ...(string | number)[]]
>([
  ['listAgentAddresses', [late, 'host']],
  ['listAgentKeys', [late, id]],
  ['listApiKeys', [late, id]],
  ['listAuditLog', [id]],
  ['listClusterEvents', [id]],
  ['listClusters', [early, id]],
  ['listDeletedClusters', [late, id]],
  ['listInvitations', [id]],
  ['listInvoiceLines', [1]],
  ['listInvoices', [id]],
  ['listMembers', [early, 'user']],
  ['listSilences', [early, id]],
  ['listSsoDomains', ['example.com']],
  ['listWebhookDeliveries', [id]],
]);

/** The other lists, by where they come from. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['listAcls', 'the metadata service'],
  ['listAgents', 'the metadata service'],
  ['listClientQuotas', 'the metadata service'],
  ['listClusterUsers', 'the metadata service'],
  ['listConsumerGroups', 'the metadata service'],
  ['listTopicConfigs', 'the metadata service'],
  ['listTopicConsumers', 'the metadata service'],
  ['listTopics', 'the metadata service'],
  ['listTransactions', 'the metadata service'],
  ['listClusterModes', 'the product: there are three'],
  ['previewClusterModes', 'the product: there are three'],
  ['listAgentReadings', 'telemetry: the newest of each agent'],
  ['listDeniedRequests', 'telemetry: sums over agents, of at most a hundred requests each'],
]);

const lists = routes.filter(({ answer: { kind } }) => kind === 'list' || kind === 'page');

interface Plan {
  'Node Type': string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

let plans: Plan[] = [];
let key: string;
let paths: Readonly<Record<string, string>>;

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** Without other ways to find and order rows, the planner takes an index in the order of the list if there is one. */
const ONLY_INDEXES = ['seqscan', 'bitmapscan', 'sort', 'incremental_sort']
  .map((way) => `SET enable_${way} = off`)
  .join('; ');

/** @param query the method of pg itself */
async function explain(query: (config: pg.QueryConfig) => Promise<pg.QueryResult>, config: pg.QueryConfig) {
  await query({ text: ONLY_INDEXES });
  const { rows } = await query({ ...config, text: `EXPLAIN (FORMAT JSON) ${config.text}` });
  plans.push(rows[0]['QUERY PLAN'][0].Plan);
}

const isPage = (text: unknown): text is string =>
  typeof text === 'string' && /^\s*SELECT\b.*\bORDER BY\b.*\bLIMIT\b/s.test(text);

beforeAll(async () => {
  const { database } = installation;
  const organizationId = await installation.newOrganization();
  const { plaintext, hash, display } = generateApiKey();
  key = plaintext;
  await database.apiKey.create({
    data: {
      id: newId(),
      organizationId,
      name: 'test',
      role: 'owner',
      displayPrefix: display.prefix,
      displayLast4: display.last4,
      hash,
    },
  });
  const clusterId = newId();
  await database.virtualCluster.create({
    data: { id: clusterId, organizationId, name: 'c', cloud: 'aws', region: 'x' },
  });
  paths = { clusterId, invoiceId: await newInvoice(database, { organizationId, clusterId }) };
  const query = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [config] = given as [pg.QueryConfig];
    const run = () => Reflect.apply(query, this, given);
    if (!isPage(config.text)) {
      return run();
    }
    const { text, values = [] } = config;
    return explain((own) => Reflect.apply(query, this, [own]), { text, values }).then(run);
  } as never);
});
afterAll(() => {
  vi.restoreAllMocks();
});

test('every list is known to be in PostgreSQL or elsewhere', () => {
  expect(lists.map((route) => route.id).sort()).toEqual([...KEYS.keys(), ...ELSEWHERE.keys()].sort());
});

/** Reads that are sent in batches go around pg's method. */
function explainingReads(client: pg.Client) {
  const reads: typeof installation.reads = {
    ...installation.reads,
    async readInTenant(organizationId, statement, values) {
      if (isPage(statement.text)) {
        await client.query({ text: statement.text, values });
      }
      return installation.reads.readInTenant(organizationId, statement, values);
    },
  };
  return reads;
}

describe.each([...KEYS])('%s', (list, elements) => {
  const route = lists.find((other) => other.id === list);

  test.each([
    ['first', ''],
    ['next', `cursor=${Buffer.from(JSON.stringify([list, ...elements])).toString('base64url')}`],
  ])('the %s page is read in the order of an index', async (_which, cursor) => {
    const url = `https://app.example/api/v1${(route?.path ?? '').replaceAll(/\{(\w+)\}/g, (_, name: string) => paths[name] ?? '')}`;
    const client = new pg.Client({ connectionString: installation.databaseUrl });
    await client.connect();
    plans = [];
    const headers = { authorization: `Bearer ${key}` };
    const backend = installation.backend({ reads: explainingReads(client) });
    const response = await fetchRest(backend, new Request(`${url}?${cursor}`, { headers }));
    await client.end();
    expect([response.status, plans.length], await response.text()).toEqual([200, 1]);
    const nodes = plans.flatMap(nodesOf);
    const kinds = nodes.map((node) => node['Node Type']);
    expect(kinds.filter((kind) => /Sort|Seq Scan|Bitmap/.test(kind))).toEqual([]);
    const scan = nodes.find((node) => /^Index (Only )?Scan$/.test(node['Node Type']));
    // The rows of one organization, cluster or invoice, and those alone that follow the cursor.
    const conditions = (scan?.['Index Cond'] ?? '').split(' AND ');
    expect(conditions[0]).toMatch(/\b(organization_id|cluster_id|invoice_id) = /);
    expect(conditions.length).toBeGreaterThanOrEqual(cursor === '' ? 1 : 2);
  });
});
