// Re-checks verified domains, so that a former owner of a domain cannot go on authenticating its users. A domain whose
// record has been missing for a week loses its verification. Owners are notified on the first day and keep every
// sign-in method.
import type { Database } from '@penstock/database/client';
import { inTransaction, queueMail, recordAudit, type Scope } from '@penstock/tenancy';
import { DAY_MS } from '@penstock/units';
import { ownerAddresses } from '../member/owner-addresses.ts';
import { domainLostMail, domainMissingMail } from './domain-mails.ts';
import { type LookUpTxt, lookUpTxt, type RecordState, recordOf } from './domain-record.ts';

/** How often each verified domain is checked. */
const CHECK_EVERY_MS = DAY_MS;
/** DNS migrations and mistakes are found and fixed within days. */
export const MISSING_UNTIL_LOST_MS = 7 * DAY_MS;
/** Per run. The job runs every hour. */
const DOMAINS_PER_RUN = 500;

export interface DomainCheckOptions {
  webUrl: string | undefined;
  lookUp?: LookUpTxt;
}

/** The result of a run: how many domains were checked, are newly missing, and lost their verification. */
export interface DomainChecks {
  checked: number;
  missing: number;
  lost: number;
}

/** Checks the verified domains that are due. Holds no transaction during the lookups. */
export async function checkSsoDomains(
  database: Database,
  now: Date,
  { webUrl, lookUp = lookUpTxt }: DomainCheckOptions,
): Promise<DomainChecks> {
  const due = new Date(now.getTime() - CHECK_EVERY_MS);
  const rows = await database.ssoDomain.findMany({
    where: { verifiedAt: { lte: due }, OR: [{ checkedAt: null }, { checkedAt: { lte: due } }] },
    orderBy: [{ checkedAt: { sort: 'asc', nulls: 'first' } }, { id: 'asc' }],
    take: DOMAINS_PER_RUN,
    select: { id: true, organizationId: true, domain: true, token: true },
  });
  const checks: DomainChecks = { checked: 0, missing: 0, lost: 0 };
  for (const { id, organizationId, ...domain } of rows) {
    const state = await lookUp(recordOf(domain));
    const outcome = await inTransaction(database, (tx) => {
      const actor = { type: 'system', id: null, label: 'Check of e-mail domains', source: 'worker' } as const;
      return noteState({ tx, organizationId, actor, now }, { id, state, due, webUrl });
    });
    if (outcome !== 'passed over') {
      checks.checked += 1;
    }
    if (outcome === 'missing') {
      checks.missing += 1;
    }
    if (outcome === 'lost') {
      checks.lost += 1;
    }
  }
  return checks;
}

interface Noted {
  id: string;
  state: RecordState;
  due: Date;
  webUrl: string | undefined;
}

async function noteState(
  scope: Scope,
  { id, state, due, webUrl }: Noted,
): Promise<'passed over' | 'kept' | 'missing' | 'lost'> {
  const { tx, organizationId, now } = scope;
  // Another worker or an owner may have updated it meanwhile.
  await tx.$queryRaw`SELECT 1 FROM sso_domain WHERE id = ${id}::uuid FOR UPDATE`;
  const row = await tx.ssoDomain.findFirst({
    where: { id, organizationId, verifiedAt: { not: null }, OR: [{ checkedAt: null }, { checkedAt: { lte: due } }] },
    select: { domain: true, token: true, missingSince: true },
  });
  const organization = await tx.organization.findFirst({
    where: { id: organizationId, deletedAt: null },
    select: { name: true },
  });
  if (row === null || organization === null) {
    return 'passed over';
  }
  const keep = (missingSince: Date | null) =>
    tx.ssoDomain.update({ where: { id, organizationId }, data: { checkedAt: now, missingSince } });
  if (state !== 'gone') {
    await keep(state === 'there' ? null : row.missingSince);
    return 'kept';
  }
  const missingSince = row.missingSince ?? now;
  const lostAt = new Date(missingSince.getTime() + MISSING_UNTIL_LOST_MS);
  const link = webUrl === undefined ? null : `${webUrl}/app/organization`;
  const facts = { organization: organization.name, domain: row.domain, ...recordOf(row), lostAt, link };
  if (lostAt > now) {
    await keep(missingSince);
    if (row.missingSince !== null) {
      return 'kept';
    }
    for (const to of await ownerAddresses(scope)) {
      await queueMail(tx, domainMissingMail(to, facts), now);
    }
    return 'missing';
  }
  await tx.ssoDomain.update({
    where: { id, organizationId },
    data: { verifiedAt: null, checkedAt: now, missingSince: null },
  });
  await recordAudit(scope, {
    action: 'sso.lose-domain',
    targetType: 'sso-domain',
    targetId: id,
    before: { domain: row.domain, missingSince: missingSince.toISOString() },
  });
  for (const to of await ownerAddresses(scope)) {
    await queueMail(tx, domainLostMail(to, facts), now);
  }
  return 'lost';
}
