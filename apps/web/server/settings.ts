// The web program's variables. The page of all settings is generated from them.
import { invoiceVariables } from '@penstock/billing';
import { stripeVariables } from '@penstock/billing/stripe';
import { adminKeysVariable, adminTlsVariables } from '@penstock/clusters';
import {
  databaseUrlVariable,
  drainSecondsVariable,
  embeddedVariable,
  flagVariable,
  httpUrlVariable,
  logLevelVariable,
  metricsTokenVariable,
  outboundPortsVariable,
  portVariable,
  rootSecretVariables,
  secretsVariable,
  trustedProxiesVariable,
  urlsVariable,
} from '@penstock/platform';
import { z } from 'zod';

/** How the program listens and stops. */
export const serverVariables = {
  PENSTOCK_WEB_PORT: portVariable.default(3000).meta({ description: 'The port of the dashboard and the public API.' }),
  PENSTOCK_WEB_HOST: z.string().default('0.0.0.0').meta({ description: 'The address to listen on.' }),
  PENSTOCK_WEB_DRAIN_SECONDS: drainSecondsVariable,
  PENSTOCK_WEB_METRICS_PORT: portVariable.optional().meta({
    description: 'The port of `/metrics`. Without it, they are not served: the other port is open to the internet.',
  }),
  PENSTOCK_WEB_METRICS_HOST: z.string().min(1).optional().meta({
    description: 'The interface of that port.',
    defaultText: 'all',
  }),
  PENSTOCK_METRICS_TOKEN: metricsTokenVariable,
  PENSTOCK_WEB_ACCESS_LOG: flagVariable.meta({ description: 'Writes a line for each request to the log.' }),
};

/** Everything else that `createBackend` reads. */
export const backendVariables = {
  DATABASE_URL: databaseUrlVariable,
  PENSTOCK_WEB_URL: httpUrlVariable.meta({ description: "The dashboard's origin, as browsers see it." }),
  ...rootSecretVariables,
  PENSTOCK_METADATA_ADMIN_URL: urlsVariable.meta({
    description: "URLs of the metadata processes' ports for the control plane, separated by commas.",
  }),
  PENSTOCK_ADMIN_KEYS: adminKeysVariable,
  ...adminTlsVariables,
  PENSTOCK_BROWSE_KEYS: secretsVariable.meta({
    description: 'Root of the keys that sign tokens for message browsers. The metadata service has the same.',
    isSecret: true,
  }),
  PENSTOCK_PUBLIC_METADATA_URL: httpUrlVariable.meta({ description: 'Where agents reach the metadata service.' }),
  PENSTOCK_TRUSTED_PROXIES: trustedProxiesVariable,
  PENSTOCK_EMBEDDED: embeddedVariable,
  PENSTOCK_SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:|https:\/\/|tel:)\S+$/, 'expected a URI that starts with mailto:, https:// or tel:')
    .optional()
    .meta({
      description: 'Where to report vulnerabilities, as a URI.',
      defaultText: "the seller's email address",
    }),
  PENSTOCK_API_REQUESTS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_200)
    .meta({ description: 'The rate limit of one API key: requests per minute.' }),
  PENSTOCK_OUTBOUND_PORTS: outboundPortsVariable,
  ...stripeVariables,
  PENSTOCK_SIGN_UP_ITERATIONS: z.coerce.number().int().min(1).default(10_000).meta({
    description:
      'PBKDF2 iterations per key of the puzzle at sign-up. A browser tries a hundred keys: half a second on a laptop, two on a phone.',
  }),
  PENSTOCK_LOG_LEVEL: logLevelVariable,
};

/** Every variable of the program. */
export const webVariables = { ...serverVariables, ...invoiceVariables, ...backendVariables };
