import { router } from '../trpc/trpc.ts';
import { chooseRecipient } from './choose-recipient.ts';
import { createSilence } from './create-silence.ts';
import { endSilence } from './end-silence.ts';
import { exportMetrics } from './export-metrics.ts';
import { getHealth } from './get-health.ts';
import { listEvents } from './list-events.ts';

export const healthRouter = router({
  get: getHealth,
  events: listEvents,
  metrics: exportMetrics,
  chooseRecipient,
  createSilence,
  endSilence,
});
