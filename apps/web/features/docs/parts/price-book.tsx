// The prices that bills use, and an example bill computed by the same functions.
import {
  CLUSTER_KINDS,
  type ClusterKind,
  type PriceBook,
  priceBookOn,
  quantity,
  rateClusterMinutes,
  rateWrites,
  roundInvoiceLine,
  totalOf,
} from '@penstock/pricing';
import { Td, Tr } from '@penstock/ui';
import { ReferenceTable } from './reference-tables';

const GIB_PER_TIB = 1_024;
/** The example: the monthly writes of one cluster, with 30 days. */
const EXAMPLE_TIB = 25;
const EXAMPLE_MINUTES = 30 * 24 * 60;

function current(): PriceBook {
  return priceBookOn(new Date().toISOString().slice(0, 10));
}

function tib(gib: string): string {
  return (Number(gib) / GIB_PER_TIB).toLocaleString('en-US');
}

function stepOf(book: PriceBook, index: number): string {
  const end = book.writes[index]?.upToGib ?? null;
  const begin = book.writes[index - 1]?.upToGib ?? '0';
  return end === null ? `above ${tib(begin)} TiB` : `${tib(begin)} to ${tib(end)} TiB`;
}

function limitsOf({ dev }: PriceBook, kind: ClusterKind): string {
  return kind === 'dev'
    ? `${dev.maxWrittenMibPerSecond} MiB/s, ${dev.maxPartitions.toLocaleString('en-US')} partitions, no SLA`
    : 'none';
}

export function PriceBookTables() {
  const book = current();
  return (
    <>
      <ReferenceTable label="Price of writes" heads={['Monthly writes, all clusters', 'USD per GiB']} stacks={false}>
        {book.writes.map(({ usdPerGib }, index) => (
          <Tr key={usdPerGib}>
            <Td className="text-ink">{stepOf(book, index)}</Td>
            <Td className="nums">{usdPerGib}</Td>
          </Tr>
        ))}
      </ReferenceTable>
      <ReferenceTable label="Price of clusters" heads={['Mode', 'USD per minute', 'Limits']} stacks={false}>
        {CLUSTER_KINDS.map((kind) => (
          <Tr key={kind}>
            <Td className="text-ink">{kind}</Td>
            <Td className="nums">{book.clusterUsdPerMinute[kind]}</Td>
            <Td>{limitsOf(book, kind)}</Td>
          </Tr>
        ))}
      </ReferenceTable>
      <p className="mt-4 text-ink-2 leading-7">
        Price book {book.id}, valid from {book.from}. Your first organization gets ${book.signUpCreditUsd} in credits. A
        further one gets them with a payment method or a verified company domain that no organization has used before.
      </p>
    </>
  );
}

/** One cluster for 30 days, step by step. */
export function WorkedBill() {
  const book = current();
  const steps = rateWrites(book, quantity(EXAMPLE_TIB * GIB_PER_TIB));
  const minutes = rateClusterMinutes(book, 'standard', quantity(EXAMPLE_MINUTES));
  const lines = [
    ...steps.map(({ quantity, usdPerUnit, amount }, index) => ({
      what: `Writes, ${stepOf(book, index)}`,
      how: `${Number(quantity).toLocaleString('en-US')} GiB × ${usdPerUnit}`,
      usd: roundInvoiceLine(amount),
    })),
    {
      what: 'One standard cluster',
      how: `${EXAMPLE_MINUTES.toLocaleString('en-US')} min × ${book.clusterUsdPerMinute.standard}`,
      usd: roundInvoiceLine(minutes),
    },
  ];
  const total = roundInvoiceLine(totalOf(steps)).plus(roundInvoiceLine(minutes));
  return (
    <ReferenceTable label="A worked bill" heads={[`${EXAMPLE_TIB} TiB in 30 days`, 'Quantity and price', 'USD']}>
      {lines.map(({ what, how, usd }) => (
        <Tr key={what}>
          <Td className="text-ink">{what}</Td>
          <Td className="nums">{how}</Td>
          <Td className="nums">{usd.toFixed(2)}</Td>
        </Tr>
      ))}
      <Tr>
        <Td className="font-medium text-ink">Total, before credits and tax</Td>
        <Td />
        <Td className="nums font-medium text-ink">{total.toFixed(2)}</Td>
      </Tr>
    </ReferenceTable>
  );
}
