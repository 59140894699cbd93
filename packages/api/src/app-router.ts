// The root router of the API. Each entry lists its own procedures.
import { accessRouter } from './access-router/router.ts';
import { accountRouter } from './account-router/router.ts';
import { agentKeyRouter } from './agent-key-router/router.ts';
import { apiKeyRouter } from './api-key-router/router.ts';
import { auditRouter } from './audit-router/router.ts';
import { billingRouter } from './billing-router/router.ts';
import { clusterRouter } from './cluster-router/router.ts';
import { groupRouter } from './group-router/router.ts';
import { healthRouter } from './health-router/router.ts';
import { invitationRouter } from './invitation-router/router.ts';
import { mailboxRouter } from './mailbox-router/router.ts';
import { memberRouter } from './member-router/router.ts';
import { organizationRouter } from './organization-router/router.ts';
import { sessionRouter } from './session-router/router.ts';
import { ssoRouter } from './sso-router/router.ts';
import { telemetryRouter } from './telemetry-router/router.ts';
import { topicRouter } from './topic-router/router.ts';
import { transactionRouter } from './transaction-router/router.ts';
import { createCallerFactory, router } from './trpc/trpc.ts';
import { usageRouter } from './usage-router/router.ts';

export const appRouter = router({
  session: sessionRouter,
  account: accountRouter,
  organization: organizationRouter,
  sso: ssoRouter,
  member: memberRouter,
  invitation: invitationRouter,
  cluster: clusterRouter,
  agentKey: agentKeyRouter,
  apiKey: apiKeyRouter,
  topic: topicRouter,
  group: groupRouter,
  transaction: transactionRouter,
  access: accessRouter,
  telemetry: telemetryRouter,
  health: healthRouter,
  usage: usageRouter,
  billing: billingRouter,
  audit: auditRouter,
  mailbox: mailboxRouter,
});

export type AppRouter = typeof appRouter;

/** Calls procedures in this process, for server components and tests. */
export const createCaller = createCallerFactory(appRouter);
