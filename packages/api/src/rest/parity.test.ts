// Everything that the dashboard can do is possible through REST, or its declaration says why not.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { operationsByPath } from '../operations-by-path.ts';
import { openApiDocument } from '../public-api.ts';
import { inputsOf } from './route-input.ts';
import { routes } from './routes.ts';

/** URLs of the web app that are not pages, and the operations that do the same for programs. */
const webAddresses: Readonly<Record<string, readonly string[] | string>> = {
  'app/audit/export': ['exportAuditLog'],
  'app/billing/invoices/[invoiceId]/download/[format]': [
    'downloadInvoice',
    'downloadInvoiceAsCsv',
    'downloadInvoiceAsJson',
  ],
  'app/organization/export': ['exportOrganization'],
  '(site)/pricing/export/[format]': 'The estimate is at /tco/estimates.',
  'api/auth/[...all]': 'Signing in, passkeys and second factors are ceremonies of a browser and a person.',
  'api/trpc/[trpc]': 'The procedures themselves; see above.',
  '.well-known/security.txt': 'For people who report a vulnerability (RFC 9116).',
  'api/stripe/webhook': 'Stripe’s, with its own signature.',
};

const operations = new Set(routes.map(({ id }) => id));

test('each operation has a route or a reason to have none', () => {
  for (const { unserved, routes: own } of operationsByPath.values()) {
    // Types demand either; only an empty one could slip through.
    expect(own.length > 0 || (unserved ?? '') !== '').toBe(true);
  }
});

test('operations named as answering for others exist', () => {
  const named = [...operationsByPath.values()].flatMap(({ unserved }) =>
    typeof unserved === 'object' ? unserved.answeredBy : [],
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((id) => !operations.has(id))).toEqual([]);
});

// Each fixed value has its own route.
test('routes accept each input of an operation', () => {
  const missing: string[] = [];
  for (const [path, { input }] of operationsByPath) {
    const own = routes.filter(({ procedure }) => procedure === path);
    if (own.length === 0 || !(input instanceof z.ZodObject)) {
      continue;
    }
    for (const [name, schema] of Object.entries(input.shape)) {
      if (own.some((route) => name in inputsOf(route).all.shape)) {
        continue;
      }
      const chosen = new Set(own.map(({ fixed }) => fixed?.[name]));
      const choices = schema instanceof z.ZodEnum ? schema.options : [undefined];
      missing.push(...choices.filter((choice) => !chosen.has(choice)).map((choice) => `${path} ${name}=${choice}`));
    }
  }
  expect(missing).toEqual([]);
});

test('each resource is changed by one PATCH', () => {
  const changed = routes.flatMap(({ method, answer }) =>
    method === 'patch' && answer.kind === 'one' ? [answer.object.meta()?.['id']] : [],
  );
  expect(changed.filter((resource, index) => changed.indexOf(resource) !== index)).toEqual([]);
});

test('each non-page URL has an operation or a reason to have none', () => {
  const app = fileURLToPath(new URL('../../../../apps/web/app', import.meta.url));
  const found = readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|[\\/])route\.tsx?$/.test(path))
    .map((path) => path.split(sep).slice(0, -1).join('/'));
  expect(found.filter((path) => !(path in webAddresses))).toEqual([]);
  const named = Object.values(webAddresses).flatMap((known) => (typeof known === 'string' ? [] : known));
  expect(named.filter((id) => !operations.has(id))).toEqual([]);
});

test('each call of the command line is an operation', () => {
  const commands = fileURLToPath(new URL('../../../../apps/agent/crates/cli/src/commands', import.meta.url));
  const sources = readdirSync(commands, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.rs'))
    .map((path) => readFileSync(join(commands, path), 'utf8'));
  // Such as `api.list(&["clusters", &id, "acls"])`; a variable is a parameter.
  const calls = sources.flatMap((source) => [
    ...source.matchAll(/\.(get|get_with|list|list_with|post|patch|delete)\(\s*&\[([^\]]*)\]/g),
  ]);
  const called = calls.map(([, verb = '', segments = '']) => {
    const path = segments.split(',').map((text) => /^"(.*)"$/.exec(text.trim())?.[1] ?? '{}');
    return `${verb.replace('list', 'get').replace('_with', '')} /${path.join('/')}`;
  });
  const known = new Set(
    Object.entries(openApiDocument('').paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
    ),
  );
  expect(called.length).toBeGreaterThan(20);
  expect(called.filter((call) => !known.has(call))).toEqual([]);
});
