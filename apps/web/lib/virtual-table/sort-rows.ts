// The order of a table's rows. Pure.

export interface SortOrder {
  column: string;
  isDescending: boolean;
}

/** Rows that are alike keep the order that they came in, whichever way the others are sorted. */
export function sortRows<Row>(
  rows: readonly Row[],
  compare: (left: Row, right: Row) => number,
  isDescending: boolean,
): Row[] {
  return rows.toSorted((left, right) => (isDescending ? compare(right, left) : compare(left, right)));
}

/** What a press on a column's header does: sort in its first order, then in the other one, then no more. */
export function nextOrder(before: SortOrder | null, first: SortOrder): SortOrder | null {
  if (before?.column !== first.column) {
    return first;
  }
  return before.isDescending === first.isDescending ? { ...first, isDescending: !first.isDescending } : null;
}
