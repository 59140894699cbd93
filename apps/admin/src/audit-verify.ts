import type { Database } from '@penstock/database/client';
import { AppError } from '@penstock/platform';
import { type AuditFault, verifyAudit } from '@penstock/tenancy';
import { onDatabase, operatorCommand } from './operator-command.ts';

const words: Record<AuditFault['fault'], string> = {
  changed: 'was changed',
  missing: 'is missing',
  'out-of-place': 'does not follow the row before it',
  'cut-off': 'and what follows it: the end of the chain is not where it was',
  'head-missing': 'is the last one, and the head of the chain is missing',
};

/** The first faults of a broken chain are enough. */
const SHOWN_FAULTS = 50;

async function verify(database: Database, organization: string | undefined): Promise<string[]> {
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
}

export const verifyAuditLog = operatorCommand(
  'verify',
  'walks the hash chains and names every row that was edited, deleted or moved',
)
  .option('--organization <id or slug>', 'only the chain of this organization')
  .action(({ organization }: { organization?: string }) => onDatabase((database) => verify(database, organization)));
