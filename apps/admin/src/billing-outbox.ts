// `npm run billing:outbox [-- --retry <id> | --retry all]`: lists failed calls to Stripe with their errors, and retries
// them.
import { type Outbox, readOutbox, retryFailedCalls } from '@penstock/billing';
import { operator, readFlags, runOperatorCommand } from './operator-command.ts';

const USAGE = 'npm run billing:outbox [-- --retry <id of a call> | -- --retry all]';

const time = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function report({ waiting, oldestWaitingSince, calls, events }: Outbox): string[] {
  const lines = calls.flatMap((call) => [
    '',
    `${call.status === 'failed' ? 'FAILED' : 'To be repeated'}  ${call.operation}  ${call.id}`,
    `  of ${call.organization.name} (${call.organization.id})${call.invoiceNumber === null ? '' : `, invoice ${call.invoiceNumber}`}`,
    `  since ${time(call.createdAt)}, ${call.attempts} ${call.attempts === 1 ? 'attempt' : 'attempts'}${
      call.nextAttemptAt === null ? '' : `, the next not before ${time(call.nextAttemptAt)}`
    }${call.heldUp === 0 ? '' : `; ${call.heldUp} later ${call.heldUp === 1 ? 'call waits' : 'calls wait'} for it`}`,
    `  ${call.error}`,
  ]);
  const eventLines = events.flatMap((event) => [
    '',
    `Event  ${event.type}  ${event.id}`,
    `  received ${time(event.receivedAt)}, looked at ${event.attempts} ${event.attempts === 1 ? 'time' : 'times'}`,
    `  ${event.error}`,
  ]);
  const failed = calls.filter(({ status }) => status === 'failed').length;
  const summary = `${failed} failed, ${calls.length - failed} to be repeated, ${events.length} events with an error, ${waiting} on their way${
    oldestWaitingSince === null
      ? ''
      : ` (the oldest since ${time(oldestWaitingSince)}: is a worker with Stripe's keys running?)`
  }.`;
  const remedy = failed === 0 ? [] : ['', `When the cause is mended: ${USAGE}`];
  return [summary, ...lines, ...eventLines, ...remedy];
}

await runOperatorCommand(USAGE, async (database) => {
  const { retry } = readFlags({ retry: { type: 'string' } });
  if (retry === undefined) {
    return report(await readOutbox(database));
  }
  const count = await retryFailedCalls(database, retry, { actor: operator(), now: new Date() });
  return [`${count} ${count === 1 ? 'call goes' : 'calls go'} out again as soon as a worker has Stripe's keys.`];
});
