// The stand-in as a program, for browser tests and manual tests:
//   node packages/billing/src/stripe/testing/main.ts --port 12111 --webhooks http://localhost:3000/api/stripe/webhook
// The web app and the worker then get STRIPE_API_BASE=http://127.0.0.1:12111 and the keys that it prints.
import { parseArgs } from 'node:util';
import { noFaults } from './stand-in.ts';
import { startStandIn } from './stand-in-server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '12111' },
    webhooks: { type: 'string' },
    seed: { type: 'string', default: '1' },
    /** Makes it inject faults. */
    faulty: { type: 'boolean', default: false },
    'secret-key': { type: 'string', default: 'sk_test_standin' },
    'webhook-secret': { type: 'string', default: 'whsec_standin' },
  },
});

const server = await startStandIn(
  {
    secretKey: values['secret-key'],
    webhookSecret: values['webhook-secret'],
    clock: () => new Date(),
    seed: Number(values.seed),
    faults: values.faulty
      ? {
          limited: 0.1,
          failedBefore: 0.1,
          failedAfter: 0.05,
          answerLost: 0.1,
          requestLost: 0.05,
          webhookDropped: 0.3,
          webhookDuplicated: 0.3,
          webhookDelayMs: 5_000,
        }
      : noFaults,
  },
  Number(values.port),
);
server.sendWebhooksTo(values.webhooks);
process.stdout.write(
  `The Stripe stand-in listens.\n\n  STRIPE_API_BASE=${server.url}\n  STRIPE_SECRET_KEY=${values['secret-key']}\n  STRIPE_WEBHOOK_SECRET=${values['webhook-secret']}\n\n`,
);

const leave = (): void => void server.close().then(() => process.exit(server.standIn.violations.length === 0 ? 0 : 1));
process.on('SIGINT', leave);
process.on('SIGTERM', leave);
