// Everything that the dashboard can do is possible through REST. Compares the procedures with the routes.
import { readdirSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { appRouter } from '../../app-router.ts';
import { inputsOf } from '../route-input.ts';
import { routes } from '../routes.ts';

const PERSONAL = 'It is about the person who is signed in; a key belongs to an organization and is nobody in it.';
const STRIPE_PAGE = 'It sends a browser to a page of Stripe’s and takes it back; no program types a card.';
const CHOOSES_ORGANIZATION = 'A session chooses where it works; a key opens one organization for good.';
const SIGN_INS =
  'It is about how people sign in, and an owner proves to be at hand to change it. A key has no session.';
const AFTER_THE_END = 'It is for those who owned an organization that is deleted; its keys ended with it.';

/** What only the dashboard does, and why. An outdated entry fails too. */
const dashboardOnly: Readonly<Record<string, string>> = {
  'session.get': PERSONAL,
  'account.security': PERSONAL,
  'account.sessions': PERSONAL,
  'account.revokeSession': PERSONAL,
  'organization.create': PERSONAL,
  'organization.twoFactorDemand': 'It is changed by a person with a second factor, which no key has.',
  'organization.setTwoFactorDemand': 'It is changed by a person with a second factor, which no key has.',
  'organization.sessionLifetime': SIGN_INS,
  'organization.setSessionLifetime': SIGN_INS,
  'organization.setActive': CHOOSES_ORGANIZATION,
  'organization.delete': 'It demands that an owner proves to be at hand, which no key can.',
  'organization.listDeleted': AFTER_THE_END,
  'organization.restore': AFTER_THE_END,
  'organization.exportDeleted': AFTER_THE_END,
  'member.leave': PERSONAL,
  'member.transferOwnership':
    'It gives away the caller’s own ownership; a key owns nothing, and makes owners by changeMemberRole.',
  'invitation.listReceived': PERSONAL,
  'invitation.preview': PERSONAL,
  'invitation.accept': PERSONAL,
  'billing.startPaymentSetup': STRIPE_PAGE,
  'billing.completePaymentSetup': STRIPE_PAGE,
  'billing.openPaymentPortal': STRIPE_PAGE,
  'cluster.watch': 'A stream of the parts below; streams end with a session, and programs ask again.',
  'mailbox.list': 'It shows the mails of an installation on one machine, and answers nowhere else.',
};

/** Procedures for parts of a page, and the operations that return the whole. */
const answeredElsewhere: Readonly<Record<string, readonly string[]>> = {
  'cluster.summary': ['listAgents', 'listTopics', 'listConsumerGroups', 'getMetadataMemory'],
  'cluster.throughput': ['getMetricSeries'],
  'cluster.agents': ['listAgents', 'listAgentReadings'],
  'cluster.topics': ['listTopics'],
  'cluster.topic': ['getTopic'],
  'cluster.groups': ['listConsumerGroups'],
  'cluster.group': ['getConsumerGroup'],
  'health.levels': ['getClusterHealth'],
  'telemetry.agentFigures': ['listAgentReadings'],
};

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

test('each of these reasons is about an existing procedure without a route', () => {
  const stale = Object.keys(excused).filter((path) => !procedures.has(path) || byProcedure.has(path));
  expect(stale).toEqual([]);
  expect(
    Object.values(answeredElsewhere)
      .flat()
      .filter((id) => !operations.has(id)),
  ).toEqual([]);
});

test('each input of a procedure can be given through its routes, and each fixed value has its own route', () => {
  const missing: string[] = [];
  for (const [path, { _def }] of procedures) {
    const own = byProcedure.get(path);
    const [input] = _def.inputs;
    if (own === undefined || !(input instanceof z.ZodObject)) {
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

test('each URL of the web app that is not a page has an operation, or a reason why not', () => {
  const app = fileURLToPath(new URL('../../../../../apps/web/app', import.meta.url));
  const found = readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|[\\/])route\.tsx?$/.test(path))
    .map((path) => path.split(sep).slice(0, -1).join('/'));
  expect(found.filter((path) => !(path in webAddresses))).toEqual([]);
  const named = Object.values(webAddresses).flatMap((known) => (typeof known === 'string' ? [] : known));
  expect(named.filter((id) => !operations.has(id))).toEqual([]);
});
