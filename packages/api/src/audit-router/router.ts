import * as tenancy from '@penstock/tenancy';
import { procedure, router } from '../trpc/trpc.ts';
import { exportAudit } from './export-audit.ts';
import { listAuditInput, withTimes } from './inputs.ts';

export const auditRouter = router({
  list: procedure('audit:read')
    .input(listAuditInput)
    .query(({ ctx, input }) => ctx.run((scope) => tenancy.listAudit(scope, withTimes(input)))),
  export: exportAudit,
});
