import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { getAgentDiagnosisInput } from './get-agent-diagnosis.types.ts';

export const getAgentDiagnosis = procedure('cluster:read')
  .input(getAgentDiagnosisInput)
  .query(({ ctx, input }) => ctx.run((scope) => services.getAgentDiagnosis(scope, input)));
