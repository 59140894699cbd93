// Applies the spending cap to the month's cost: refuses writes once it is reached, and allows them once it is not. Only
// this file decides it; clusters' owners follow the row that it writes. Nothing is deleted or hidden.
import { formatUsdCents, type Usd, usd } from '@penstock/pricing';
import { type BillingAccountRow, recordAudit, type Scope } from '@penstock/tenancy';
import { dayText, type Month, monthOf } from './month.ts';
import { notifyAboutBudget } from './notify-about-budget.ts';

export type CapChange = 'capped' | 'lifted' | 'none';

/** The error text for producers. Agents send it verbatim. */
export function capReason(capUsd: Usd, month: Month): string {
  return (
    `Writes are blocked because this organization has reached its spending cap of ${formatUsdCents(capUsd)} for ${month.name}. ` +
    'Consumers can still read, and nothing is deleted. An owner, admin or billing member can raise or remove the cap under ' +
    `Billing > Settings. Otherwise, writes resume on ${dayText(month.end)}, 00:00 UTC.`
  );
}

/**
 * @param account locked, with any change of the cap applied
 * @param costUsd the month's usage so far, before credits
 * @param webUrl for the link in the mail
 */
export async function settleCap(
  scope: Scope,
  account: BillingAccountRow,
  costUsd: Usd,
  webUrl: string | undefined,
): Promise<CapChange> {
  const month = monthOf(scope.now);
  const capUsd = account.capUsd === null ? null : usd(account.capUsd.toFixed(2));
  const reason = capUsd !== null && costUsd.gte(capUsd) ? capReason(capUsd, month) : null;
  const wasCapped = account.cappedMonth?.getTime() === month.start.getTime();
  if (reason === account.writesRefusedReason && (reason === null || wasCapped)) {
    return 'none';
  }
  await scope.tx.billingAccount.update({
    where: { organizationId: scope.organizationId },
    data: {
      cappedMonth: reason === null ? null : month.start,
      writesRefusedReason: reason,
      updatedAt: scope.now,
    },
  });
  const isCapped = reason !== null;
  // Only the text changes: the cap was set to another amount that is also reached.
  if (isCapped && wasCapped) {
    return 'none';
  }
  const facts = { capUsd: capUsd?.toFixed(2) ?? null, costUsd: costUsd.toFixed(2), month: month.name };
  await recordAudit(scope, {
    action: isCapped ? 'billing.cap-reach' : 'billing.cap-lift',
    targetType: 'organization',
    targetId: scope.organizationId,
    after: facts,
  });
  await notifyAboutBudget(scope, account, {
    type: isCapped ? 'cap.reached' : 'cap.lifted',
    data: { ...facts, month: month.start.toISOString().slice(0, 7) },
    subject: (name) =>
      isCapped ? `${name} has reached its spending cap: writes are blocked` : `${name} can write again`,
    text: isCapped
      ? `Usage for ${month.name} is ${formatUsdCents(costUsd)} (before credits), which reaches your spending cap of ` +
        `${formatUsdCents(capUsd ?? costUsd)}. Producers now get the Kafka error POLICY_VIOLATION. Consumers can still ` +
        `read, and nothing is deleted. Writes resume when the cap is raised or removed, or on ${dayText(month.end)}, 00:00 UTC.`
      : 'The spending cap no longer blocks writes. Producers can write again within seconds.',
    webUrl,
  });
  return isCapped ? 'capped' : 'lifted';
}
