// Formats a recomputed bill for the terminal, and for programs.
import type { RecomputedBill } from './recompute-bill.ts';

/** The maximum number of printed differences per table. The JSON contains all of them. */
const ROWS_SHOWN = 50;

function table(head: readonly string[], rows: readonly (readonly (string | null)[])[]): string[] {
  const cells = [head, ...rows.slice(0, ROWS_SHOWN).map((row) => row.map((cell) => cell ?? '(none)'))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
  return rows.length > ROWS_SHOWN
    ? [...lines, `  … and ${rows.length - ROWS_SHOWN} more (--json has them all)`]
    : lines;
}

function counted(count: number | bigint, noun: string): string {
  return `${count} ${noun}${BigInt(count) === 1n ? '' : 's'}`;
}

export function reportText(bill: RecomputedBill): string {
  const { organization, month, clusters, lines, hourDifferences, lineDifferences } = bill;
  const text = [`${organization.name} (${organization.id}), ${month}, recomputed from the journal:`, ''];
  for (const { name, clusterId, replayedEntries, entriesInBlocksAlone, waitingEntries } of clusters) {
    const parts = [`${replayedEntries} ${replayedEntries === 1 ? 'entry' : 'entries'} replayed`];
    if (entriesInBlocksAlone > 0) {
      parts.push(`${entriesInBlocksAlone} that were cut, by their sealed meter blocks`);
    }
    if (waitingEntries > 0) {
      parts.push(`${waitingEntries} not in the ledger yet`);
    }
    text.push(`  ${name} (${clusterId}): ${parts.join(', ')}`);
  }
  text.push('', `  ${counted(bill.hours, 'hour')} with usage`, '');
  if (lines.length > 0) {
    text.push(
      ...table(
        ['cluster', 'product', 'mode or tier', 'price book', 'quantity', 'amount'],
        lines.map((line) => [
          line.clusterName,
          line.product,
          line.mode ?? `tier ${line.tier}`,
          line.priceBookId,
          counted(line.quantity, line.unit === 'GiB' ? 'byte' : 'minute'),
          `$${line.amountUsd.toFixed(2)}`,
        ]),
      ),
      '',
    );
  }
  text.push(`  usage: $${bill.usageUsd.toFixed(2)}`, '');
  for (const { name, clusterId, damages } of clusters) {
    if (damages.length > 0) {
      text.push(`Damaged log of ${name} (${clusterId}):`, ...damages.map((what) => `  ${what}`), '');
    }
  }
  if (hourDifferences.length > 0) {
    const rows = hourDifferences.map(({ clusterId, hourMs, figure, ledger, recomputed }) => [
      clusterId,
      new Date(hourMs).toISOString().slice(0, 16),
      figure,
      ledger,
      recomputed,
    ]);
    text.push('Hours that differ:', ...table(['cluster', 'hour (UTC)', 'figure', 'ledger', 'recomputed'], rows), '');
  }
  if (lineDifferences.length > 0) {
    const rows = lineDifferences.map(({ clusterId, line, invoiced, recomputed }) => [
      clusterId,
      line,
      invoiced,
      recomputed,
    ]);
    text.push(
      `Lines of ${bill.invoiceNumber} that differ:`,
      ...table(['cluster', 'line', 'invoice', 'recomputed'], rows),
      '',
    );
  }
  if (bill.isSealBroken) {
    text.push(
      `${bill.invoiceNumber} is not what it was sealed as: hold it against the seal on the customer's copy.`,
      '',
    );
  }
  const against =
    bill.invoiceNumber === null ? 'the ledger (there is no invoice yet)' : `the ledger and ${bill.invoiceNumber}`;
  text.push(bill.isEqual ? `Equal to ${against}.` : `NOT equal to ${against}.`);
  return `${text.join('\n')}\n`;
}

/** One line of JSON. Quantities are text, since they may exceed what JSON numbers hold. */
export function reportJson(bill: RecomputedBill): string {
  const lines = bill.lines.map((line) => ({
    ...line,
    quantity: line.quantity.toString(),
    unitPriceUsd: line.unitPriceUsd.toFixed(),
    amountUsd: line.amountUsd.toFixed(2),
  }));
  return `${JSON.stringify({ ...bill, lines, usageUsd: bill.usageUsd.toFixed(2) })}\n`;
}
