// Which rows of a table are shown, and in which order. Pure.
import type { CellValue, Column } from './column.types';
import type { SortOrder } from './table-view';

const collator = new Intl.Collator('en', { numeric: true });

/** Compares two values of a column. Text is compared as people read it: `topic-9` comes before `topic-10`. */
function compareValues(left: CellValue, right: CellValue, isDescending: boolean): number {
  // A row without a value comes last in both directions.
  if (left === null || right === null) {
    return Number(left === null) - Number(right === null);
  }
  const result =
    typeof left === 'string' && typeof right === 'string'
      ? collator.compare(left, right)
      : Number(left > right) - Number(left < right);
  return isDescending ? -result : result;
}

/** Rows without a value come last in both directions. Equal rows keep their original order. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: SortOrder | null,
): readonly Row[] {
  const column = columns.find(({ key }) => key === order?.column);
  const rankOf = column?.rank ?? column?.value;
  if (order === null || rankOf === undefined) {
    return rows;
  }
  return rows
    .map((row) => ({ row, value: rankOf(row) }))
    .sort((left, right) => compareValues(left.value, right.value, order.isDescending))
    .map(({ row }) => row);
}

/** The rows that contain the text in a column that the filter looks through, in upper or lower case. */
export function filterRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], filter: string): readonly Row[] {
  const wanted = filter.trim().toLowerCase();
  return wanted === ''
    ? rows
    : rows.filter((row) => columns.some((column) => searchText(column, row).toLowerCase().includes(wanted)));
}

function searchText<Row>({ search, value }: Column<Row>, row: Row): string {
  if (search === undefined) {
    return '';
  }
  return search === 'value' ? String(value?.(row) ?? '') : search(row);
}
