import { router } from '../trpc/trpc.ts';
import { listAudit } from './list-audit.ts';

export const auditRouter = router({ list: listAudit });
