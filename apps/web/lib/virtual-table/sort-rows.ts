// Sorts the rows of a table. Pure.

export interface SortOrder {
  column: string;
  isDescending: boolean;
}

/** Equal rows keep their original order in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  compare: (left: Row, right: Row) => number,
  isDescending: boolean,
): Row[] {
  return rows.toSorted((left, right) => (isDescending ? compare(right, left) : compare(left, right)));
}

/** The sorting after a click on a column's header: the column's first direction, then the other, then none. */
export function nextOrder(before: SortOrder | null, first: SortOrder): SortOrder | null {
  if (before?.column !== first.column) {
    return first;
  }
  return before.isDescending === first.isDescending ? { ...first, isDescending: !first.isDescending } : null;
}
