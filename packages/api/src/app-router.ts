// The root router of the API: the operations of all resources, by name. The reference lists them in this order.
import { accessOperations } from './access/operations.ts';
import { accountOperations } from './account/operations.ts';
import { agentOperations } from './agent/operations.ts';
import { agentKeyOperations } from './agent-key/operations.ts';
import { apiKeyOperations } from './api-key/operations.ts';
import { auditOperations } from './audit/operations.ts';
import { billingOperations } from './billing/operations.ts';
import { clusterOperations } from './cluster/operations.ts';
import { groupOperations } from './group/operations.ts';
import { healthOperations } from './health/operations.ts';
import { invitationOperations } from './invitation/operations.ts';
import { invoiceOperations } from './invoice/operations.ts';
import { mailboxOperations } from './mailbox/operations.ts';
import { memberOperations } from './member/operations.ts';
import { organizationOperations } from './organization/operations.ts';
import { sessionOperations } from './session/operations.ts';
import { ssoOperations } from './sso/operations.ts';
import { telemetryOperations } from './telemetry/operations.ts';
import { topicOperations } from './topic/operations.ts';
import { transactionOperations } from './transaction/operations.ts';
import { createCallerFactory, router } from './trpc/trpc.ts';
import { usageOperations } from './usage/operations.ts';
import { webhookOperations } from './webhook/operations.ts';

export const appRouter = router({
  session: sessionOperations,
  account: accountOperations,
  organization: organizationOperations,
  member: memberOperations,
  invitation: invitationOperations,
  apiKey: apiKeyOperations,
  agentKey: agentKeyOperations,
  audit: auditOperations,
  sso: ssoOperations,
  cluster: clusterOperations,
  topic: topicOperations,
  group: groupOperations,
  agent: agentOperations,
  usage: usageOperations,
  transaction: transactionOperations,
  access: accessOperations,
  telemetry: telemetryOperations,
  health: healthOperations,
  billing: { ...billingOperations, ...invoiceOperations, ...webhookOperations },
  mailbox: mailboxOperations,
});

export type AppRouter = typeof appRouter;

/** Calls procedures in this process, for server components and tests. */
export const createCaller = createCallerFactory(appRouter);
