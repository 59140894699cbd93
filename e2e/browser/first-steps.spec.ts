import { createCluster, createOrganization, newPerson, signUp, uniqueName } from './support/accounts.ts';
import { expect, test } from './support/test.ts';

test('a new user gets a command with their own key', async ({ page }) => {
  const person = newPerson();
  await signUp(page, person);
  await createOrganization(page, `${person.name}’s team`);
  const clusterName = uniqueName('first');
  const clusterId = await createCluster(page, clusterName);

  const command = page.getByRole('figure').filter({ hasText: 'penstock agent' });
  await expect(command).toContainText('psk_agent_YOUR_KEY');
  await page.getByRole('button', { name: 'Create key and add it to the command' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create agent key' });
  await dialog.getByLabel('Name').fill('laptop');
  await dialog.getByRole('button', { name: 'Create key' }).click();

  await expect(command).toContainText(/PENSTOCK_AGENT_KEY=psk_agent_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}/);
  await expect(command).toContainText(`--cluster ${clusterId}`);
  const key = /psk_agent_\w+/.exec((await command.textContent()) ?? '')?.[0] ?? 'no key';

  await page.getByRole('tab', { name: 'Docker' }).click();
  await expect(page.getByRole('tabpanel').first()).toContainText(`PENSTOCK_AGENT_KEY=${key}`);
  await page.getByRole('tab', { name: 'Kubernetes' }).click();
  await expect(page.getByRole('tabpanel').first()).toContainText(`agent-key: "${key}"`);

  // The secret is gone after a reload: the list has only its first and last characters.
  await page.getByRole('link', { name: 'Agent keys' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'laptop' })).toContainText('Active');
  await page.reload();
  await expect(page.getByRole('row').filter({ hasText: 'laptop' })).toContainText('Active');
  expect(await page.content()).not.toContain(key);
});

test('the first cluster, key and organization are in the audit log', async ({ page }) => {
  const person = newPerson();
  await signUp(page, person);
  await createOrganization(page, 'Audited');
  const clusterName = uniqueName('audited');
  await createCluster(page, clusterName);
  await page.getByRole('link', { name: 'Audit log' }).click();
  const log = page.getByRole('table');
  await expect(log.getByRole('row').filter({ hasText: 'created the organization' })).toContainText(person.email);
  await expect(log.getByRole('row').filter({ hasText: 'created a cluster' })).toContainText(clusterName);
});
