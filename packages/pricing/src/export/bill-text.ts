// A bill as plain text, for review and golden files.
import { formatNumber, type Usd } from '../decimal/index.ts';
import { type Estimate, fillIn } from '../engine/index.ts';

const pad = (text: string, width: number) => text.padEnd(width);
const padLeft = (text: string, width: number) => text.padStart(width);
const money = (amount: Usd) => amount.toFixed(2).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** One block per system: lines with quantity, unit price, amount, and the quantity's formula. */
export function billText(estimate: Estimate): string {
  return estimate.systems
    .map((system) => {
      if (!system.available) {
        return `${system.name}\n  not available: ${system.reason}\n`;
      }
      const lines = system.lines.map((line) => {
        const price =
          line.parts.length > 1
            ? `${line.unitPrice.toFixed(8)} (mean of ${line.parts.length} steps)`
            : line.unitPrice.toFixed();
        return [
          `  ${pad(line.label, 46)} ${padLeft(money(line.amount), 14)}`,
          `      ${formatNumber(line.quantity, 8)} ${line.unit} at ${price}`,
          `      ${line.formula.symbols} = ${fillIn(line.formula.symbols, (symbol) => system.worksheet.value(symbol))}`,
        ].join('\n');
      });
      const cpu = system.cpu === null ? '' : `  CPU (${system.cpu.kind}): ${system.cpu.note}\n`;
      return `${system.name}\n${cpu}${lines.join('\n')}\n  ${pad('Of this, infrastructure', 46)} ${padLeft(money(system.infrastructure), 14)}\n  ${pad('Total per month, US dollars', 46)} ${padLeft(money(system.total), 14)}\n`;
    })
    .join('\n');
}
