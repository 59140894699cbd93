// `npm run audit:verify`: walks the hash chains of the audit log and names every row that was edited, deleted or moved.
import { AppError } from '@penstock/platform';
import { type AuditFault, verifyAudit } from '@penstock/tenancy';
import { readFlags, runOperatorCommand } from './operator-command.ts';

const USAGE = 'npm run audit:verify [-- --organization <id or slug>]';

const words: Record<AuditFault['fault'], string> = {
  changed: 'was changed',
  missing: 'is missing',
  'out-of-place': 'does not follow the row before it',
  'cut-off': 'and what follows it: the end of the chain is not where it was',
  'head-missing': 'is the last one, and the head of the chain is missing',
};

/** The first faults of a broken chain are enough. */
const SHOWN_FAULTS = 50;

await runOperatorCommand(USAGE, async (database) => {
  const { organization } = readFlags({ organization: { type: 'string' } });
  const found =
    organization === undefined
      ? null
      : await database.organization.findFirst({
          where: { OR: [{ id: organization }, { slug: organization }] },
          select: { id: true },
        });
  if (organization !== undefined && found === null) {
    throw new AppError({
      kind: 'not-found',
      code: 'organization_not_found',
      message: `There is no organization ${organization}.`,
      remedy: USAGE,
    });
  }
  const { rows, organizations, faults } = await verifyAudit(database, found?.id ?? null);
  const what = `${rows} ${rows === 1 ? 'row' : 'rows'} of ${organizations} ${organizations === 1 ? 'organization' : 'organizations'}`;
  if (faults.length === 0) {
    return [`The audit log is whole: ${what}, each as it was written and in its place.`];
  }
  const lines = faults
    .slice(0, SHOWN_FAULTS)
    .map(
      ({ organizationId, seq, id, fault }) =>
        `  organization ${organizationId}, row ${seq}${id === null ? '' : ` (${id})`} ${words[fault]}`,
    );
  throw new AppError({
    kind: 'refused',
    code: 'audit_broken',
    message: [`The audit log does not hold in ${faults.length} places of ${what}:`, ...lines].join('\n'),
    remedy: 'Compare with a backup from before, and find out who could write to the database.',
  });
});
