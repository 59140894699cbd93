// All routes of the public API. The OpenAPI document, the handler and the permission matrix read this table.
import type { Route } from './route.ts';
import { accessRoutes } from './routes/access-routes.ts';
import { accountRoutes } from './routes/account-routes.ts';
import { billingRoutes } from './routes/billing-routes.ts';
import { clusterRoutes } from './routes/cluster-routes.ts';
import { healthRoutes } from './routes/health-routes.ts';
import { invoiceRoutes } from './routes/invoice-routes.ts';
import { ssoRoutes } from './routes/sso-routes.ts';
import { telemetryRoutes } from './routes/telemetry-routes.ts';
import { transactionRoutes } from './routes/transaction-routes.ts';

export const routes: readonly Route[] = [
  ...accountRoutes,
  ...ssoRoutes,
  ...clusterRoutes,
  ...transactionRoutes,
  ...accessRoutes,
  ...telemetryRoutes,
  ...healthRoutes,
  ...billingRoutes,
  ...invoiceRoutes,
];
