import { newId } from '@penstock/platform';
import { expect, test } from 'vitest';
import { inTransaction } from '../access/scope.ts';
import { setUpControlPlane } from '../testing/control-plane.ts';
import { listMailbox } from './list-mailbox.ts';
import { listWaitingMailIds, markMailFailed, markMailSent, readWaitingMail } from './outbox.ts';
import { queueMail } from './queue-mail.ts';

const plane = setUpControlPlane();

async function queued(): Promise<string> {
  const to = `${newId()}@example.com`;
  const link = 'http://localhost/x?token=secret';
  await inTransaction(plane.database, (tx) => queueMail(tx, { to, subject: 'Hello', text: link, link }, new Date()));
  return (await plane.database.mail.findFirstOrThrow({ where: { toAddress: to } })).id;
}

test('a rolled-back transaction queues no mail', async () => {
  const before = await listWaitingMailIds(plane.worker);
  const failing = inTransaction(plane.database, async (tx) => {
    await queueMail(tx, { to: 'a@example.com', subject: 's', text: 't', link: null }, new Date());
    throw new Error('the change failed');
  });
  await expect(failing).rejects.toThrow('the change failed');
  expect(await listWaitingMailIds(plane.worker)).toEqual(before);
});

test.each([
  ['sent', markMailSent],
  ['given up', markMailFailed],
] as const)('a mail that was %s leaves the queue without its link', async (_end, mark) => {
  const id = await queued();
  expect(await readWaitingMail(plane.worker, id)).toMatchObject({ id, subject: 'Hello' });
  await mark(plane.database, id, new Date());
  expect(await readWaitingMail(plane.worker, id)).toBeNull();
  expect(await listWaitingMailIds(plane.worker)).not.toContain(id);
  const mailbox = await inTransaction(plane.database, (tx) => listMailbox(tx, true));
  expect(JSON.stringify(mailbox.filter((mail) => mail.id === id))).not.toContain('secret');
});
