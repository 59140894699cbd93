import * as tenancy from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';
import { listAuditInput, withTimes } from './list-audit.types.ts';

export const listAudit = procedure('audit:read')
  .input(listAuditInput)
  .query(({ ctx, input }) => ctx.run((scope) => tenancy.listAudit(scope, withTimes(input))));
