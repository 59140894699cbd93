import type { Stack } from '@penstock/ui';
import type { ReactNode } from 'react';

/** A cell as data, for CSV files and, by default, for sorting. */
export type CellValue = string | number | bigint | boolean | Date | null;

export interface Column<Row> {
  key: string;
  header: string;
  /** A column without values, such as one of buttons, is neither sorted, hidden nor in CSV files. */
  value?: (row: Row) => CellValue;
  /** Draws the cell; by default, its value. */
  cell?: (row: Row) => ReactNode;
  /** Stands for a value that is null. */
  none?: string;
  /** Draws a time as its distance from now. */
  isAgo?: boolean;
  /** Sorts the column by something other than its value. */
  rank?: (row: Row) => CellValue;
  /** Makes the table’s filter look through the column: through its value, or through this text. */
  search?: 'value' | ((row: Row) => string);
  numeric?: boolean;
  /** The header is for screen readers only. */
  hasHiddenHeader?: boolean;
  /** The cell’s place in a narrow box; `detail` by default. The title is never hidden. */
  stack?: Stack;
  /** Names the value in a narrow box. */
  label?: string;
  className?: string;
  /** In a table that draws only the rows in view: the column’s width as a track of a CSS grid. */
  track?: string;
}
