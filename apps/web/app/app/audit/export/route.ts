import { handleAuditExport } from '../../../../server/audit-export';

export const dynamic = 'force-dynamic';

export { handleAuditExport as GET };
