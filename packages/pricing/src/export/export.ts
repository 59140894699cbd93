// An estimate as JSON (the API's response) and as CSV. Money and quantities are decimal text.
import { csvRow } from '@penstock/units';
import type { Decimal } from '../decimal/index.ts';
import { type Estimate, explain, fillIn, type LineItem, type SystemEstimate } from '../engine/index.ts';
import { INPUTS, type InputValues } from '../inputs/index.ts';
import type { CalculatorState } from '../state/index.ts';

const QUANTITY_PLACES = 9;

function quantityText(quantity: Decimal): string {
  return quantity.toDecimalPlaces(QUANTITY_PLACES).toFixed();
}

function lineJson(system: SystemEstimate & { available: true }, line: LineItem) {
  return {
    id: line.id,
    component: line.component,
    label: line.label,
    quantity: quantityText(line.quantity),
    unit: line.unit,
    unitPriceUsd: line.unitPrice.toDecimalPlaces(15).toFixed(),
    amountUsd: line.amount.toFixed(6),
    formula: {
      words: line.formula.words,
      symbols: line.formula.symbols,
      filledIn: fillIn(line.formula.symbols, (symbol) => system.worksheet.value(symbol)),
      variables: explain(system, line).map((variable) => ({
        symbol: variable.symbol,
        label: variable.label,
        unit: variable.unit,
        value: quantityText(variable.value),
        formula: variable.formula,
        input: variable.input,
      })),
    },
    steps: line.parts.map((part) => ({
      quantity: quantityText(part.quantity),
      unitPriceUsd: part.unitPrice.toFixed(),
    })),
    assumptions: line.assumptions,
    costsWhenIdle: line.floor,
    price: {
      item: line.price.entry.item,
      from: line.price.entry.from,
      source: line.price.overridden ? 'your own price' : line.price.entry.source,
      sourceDate: line.price.entry.sourceDate,
      verified: line.price.entry.verified && !line.price.overridden,
      factor: line.priceFactor.toFixed(),
    },
  };
}

/** In the order of the page. */
function inputsJson(inputs: InputValues): Record<string, string> {
  return Object.fromEntries(INPUTS.map(({ key }) => [key, inputs[key]]));
}

/** The response of `POST /api/v1/tco/estimates` and the JSON export. */
export function estimateJson(state: CalculatorState, estimate: Estimate) {
  return {
    currency: 'USD',
    per: `month of ${state.inputs.monthHours} h`,
    pricesAsOf: state.asOf,
    inputs: inputsJson(state.inputs),
    pins: state.pins,
    prices: state.prices,
    systems: estimate.systems.map((system) =>
      system.available
        ? {
            id: system.id,
            name: system.name,
            drawnAs: system.configuration,
            available: true,
            cpu: system.cpu === null ? null : { basis: system.cpu.kind, note: system.cpu.note },
            infrastructureUsd: system.infrastructure.toFixed(6),
            totalUsd: system.total.toFixed(6),
            latencyMs: { ...system.latency, basis: system.latencyBasis, note: system.latencyNote },
            lines: system.lines.map((line) => lineJson(system, line)),
          }
        : { id: system.id, name: system.name, drawnAs: system.configuration, available: false, reason: system.reason },
    ),
  };
}

const COLUMNS = [
  'system',
  'component',
  'line',
  'quantity',
  'unit',
  'unit price USD',
  'amount USD',
  'formula',
  'with values',
  'price item',
  'price source',
  'source date',
  'verified',
];

/** All lines of all systems with their totals, RFC 4180, followed by the inputs. */
export function estimateCsv(state: CalculatorState, estimate: Estimate): string {
  const rows: string[][] = [COLUMNS];
  for (const system of estimate.systems) {
    if (!system.available) {
      rows.push([system.name, '', system.reason]);
      continue;
    }
    for (const line of system.lines) {
      const json = lineJson(system, line);
      rows.push([
        system.name,
        line.component,
        line.label,
        json.quantity,
        line.unit,
        json.unitPriceUsd,
        json.amountUsd,
        line.formula.symbols,
        json.formula.filledIn,
        json.price.item,
        json.price.source,
        json.price.sourceDate,
        json.price.verified ? 'yes' : 'no',
      ]);
    }
    rows.push([system.name, '', 'Total per month', '', '', '', system.total.toFixed(6)]);
  }
  rows.push([], ['input', 'label', 'value', 'default']);
  for (const spec of INPUTS) {
    rows.push([spec.key, spec.label, state.inputs[spec.key], spec.default]);
  }
  for (const [key, value] of [...Object.entries(state.pins), ...Object.entries(state.prices)]) {
    rows.push([key, 'replaced by the reader', value, '']);
  }
  return rows.map(csvRow).join('');
}
