// Everything that the dashboard can do, a program can do through REST: held against the procedures and routes themselves.
import { readdirSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { appRouter } from '../../app-router.ts';
import { inputsOf } from '../route-input.ts';
import { routes } from '../routes.ts';

const personal = 'It is about the person who is signed in; a key belongs to an organization and is nobody in it.';
const stripePage = 'It sends a browser to a page of Stripe’s and takes it back; no program types a card.';
const choosesOrganization = 'A session chooses where it works; a key opens one organization for good.';
const afterTheEnd = 'It is for those who owned an organization that is deleted; its keys ended with it.';

/** What the dashboard alone does, and why. An entry that is no longer needed fails, too. */
const dashboardOnly: Readonly<Record<string, string>> = {
  'session.get': personal,
  'account.security': personal,
  'account.sessions': personal,
  'account.revokeSession': personal,
  'organization.create': personal,
  'organization.setActive': choosesOrganization,
  'organization.delete': 'It demands that an owner proves to be at hand, which no key can.',
  'organization.listDeleted': afterTheEnd,
  'organization.restore': afterTheEnd,
  'organization.exportDeleted': afterTheEnd,
  'member.leave': personal,
  'member.transferOwnership':
    'It gives away the ownership of whoever calls; a key owns nothing, and makes owners by changeMemberRole.',
  'invitation.listReceived': personal,
  'invitation.preview': personal,
  'invitation.accept': personal,
  'billing.startPaymentSetup': stripePage,
  'billing.completePaymentSetup': stripePage,
  'billing.openPaymentPortal': stripePage,
  'cluster.watch': 'A stream of the parts below; streams end with a session, and programs ask again.',
  'mailbox.list': 'It shows the mails of an installation on one machine, and answers nowhere else.',
};

/** What pages read in parts of their own, and the operations that answer all of it. */
const answeredElsewhere: Readonly<Record<string, readonly string[]>> = {
  'cluster.summary': ['listAgents', 'listTopics', 'listConsumerGroups'],
  'cluster.throughput': ['getMetricSeries'],
  'cluster.agents': ['listAgents', 'listAgentReadings'],
  'cluster.topics': ['listTopics'],
  'cluster.topic': ['getTopic'],
  'cluster.groups': ['listConsumerGroups'],
  'cluster.group': ['getConsumerGroup'],
  'telemetry.agentFigures': ['listAgentReadings'],
};

/** Addresses of the web app that are no pages, and the operations that do the same for programs. */
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
  'api/stripe/webhook': 'Stripe’s, with its own signature.',
};

interface KnownProcedure {
  _def: { inputs: readonly unknown[] };
}

const procedures = new Map(
  Object.entries(appRouter._def.procedures as unknown as Readonly<Record<string, KnownProcedure>>),
);
const byProcedure = Map.groupBy(routes, ({ procedure }): string => procedure);
const operations = new Set(routes.map(({ id }) => id));
const excused = { ...dashboardOnly, ...answeredElsewhere };

test('each procedure of the dashboard has a route, or a reason why a program has no use for it', () => {
  const missing = [...procedures.keys()].filter((path) => !byProcedure.has(path) && !(path in excused));
  expect(missing).toEqual([]);
});

test('the reasons are about procedures that are there and have no route', () => {
  const stale = Object.keys(excused).filter((path) => !procedures.has(path) || byProcedure.has(path));
  expect(stale).toEqual([]);
  expect(
    Object.values(answeredElsewhere)
      .flat()
      .filter((id) => !operations.has(id)),
  ).toEqual([]);
});

test('each input of a procedure can be given through its routes, and each choice that a route makes has its own route', () => {
  const missing: string[] = [];
  for (const [path, { _def }] of procedures) {
    const own = byProcedure.get(path);
    const [input] = _def.inputs;
    if (own === undefined || !(input instanceof z.ZodObject)) continue;
    for (const [name, schema] of Object.entries(input.shape)) {
      if (own.some((route) => name in inputsOf(route).all.shape)) continue;
      const chosen = new Set(own.map(({ fixed }) => fixed?.[name]));
      const choices = schema instanceof z.ZodEnum ? schema.options : [undefined];
      missing.push(...choices.filter((choice) => !chosen.has(choice)).map((choice) => `${path} ${name}=${choice}`));
    }
  }
  expect(missing).toEqual([]);
});

test('each address of the web app that is no page has an operation, or a reason why not', () => {
  const app = fileURLToPath(new URL('../../../../../apps/web/app', import.meta.url));
  const found = readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|[\\/])route\.tsx?$/.test(path))
    .map((path) => path.split(sep).slice(0, -1).join('/'));
  expect(found.filter((path) => !(path in webAddresses))).toEqual([]);
  const named = Object.values(webAddresses).flatMap((known) => (typeof known === 'string' ? [] : known));
  expect(named.filter((id) => !operations.has(id))).toEqual([]);
});
