import { type Outbox, readOutbox, retryFailedCalls } from '@penstock/billing';
import { ADMIN, onDatabase, operator, operatorCommand } from './operator-command.ts';

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
  const remedy =
    failed === 0 ? [] : ['', `When the cause is mended: ${ADMIN} billing outbox --retry <id of a call, or all>`];
  return [summary, ...lines, ...eventLines, ...remedy];
}

export const showOutbox = operatorCommand('outbox', 'lists calls to Stripe that failed, with their errors')
  .option('--retry <id or all>', 'send this call, or all that failed, once more')
  .action(({ retry }: { retry?: string }) =>
    onDatabase(async (database) => {
      if (retry === undefined) {
        return report(await readOutbox(database));
      }
      const count = await retryFailedCalls(database, retry, { actor: operator(), now: new Date() });
      return [`${count} ${count === 1 ? 'call goes' : 'calls go'} out again as soon as a worker has Stripe's keys.`];
    }),
  );
