import { router } from '../trpc/trpc.ts';
import { exportAudit } from './export-audit.ts';
import { listAudit } from './list-audit.ts';

export const auditRouter = router({ list: listAudit, export: exportAudit });
