import type { TdProps } from '@penstock/ui';
import { Children, cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react';

type Cell = ReactElement<Pick<TdProps, 'children' | 'stack' | 'label'>>;

/** Elements among the children, without Markdown's line breaks. */
function elementsIn(node: ReactNode): Cell[] {
  return Children.toArray(node).filter((child): child is Cell => isValidElement(child));
}

/**
 * Formats rows as stacked rows: the first cell is the title, and every other cell has its own line. See Table in
 * @penstock/ui.
 * @param heads the columns' headers. They label the cells if there is more than one besides the title
 */
export function stackCells(rows: ReactNode, heads: readonly string[]): ReactNode {
  return elementsIn(rows).map((row) => {
    const cells = elementsIn(row.props.children).map((cell, column) => {
      const head = heads.length > 2 ? (heads[column] ?? '') : '';
      return column === 0
        ? cloneElement(cell, { stack: 'title' })
        : cloneElement(cell, { stack: 'foot', ...(head === '' ? {} : { label: `${head}:` }) });
    });
    return cloneElement(row, {}, cells);
  });
}

/** The head and body that Markdown makes of a table, with its rows prepared by `stackCells`. */
export function stackTable(table: ReactNode): ReactNode {
  const [head, body] = elementsIn(table);
  if (head === undefined || body === undefined) {
    return table;
  }
  const heads = elementsIn(head.props.children)
    .flatMap((row) => elementsIn(row.props.children))
    .map((cell) => textIn(cell.props.children));
  return [head, cloneElement(body, {}, stackCells(body.props.children, heads))];
}

function textIn(node: ReactNode): string {
  return Children.toArray(node)
    .map((child) => (isValidElement<{ children?: ReactNode }>(child) ? textIn(child.props.children) : String(child)))
    .join('');
}
