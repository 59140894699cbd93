import { Children, cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react';

type Parent = ReactElement<{ children?: ReactNode }>;

function elementsIn(node: ReactNode): Parent[] {
  return Children.toArray(node).filter((child): child is Parent => isValidElement(child));
}

/**
 * Rows whose first cell is the title of a stacked row, with each other cell on a line of its own. See Table in @penstock/ui.
 * @param heads the columns' headers. They label the cells if there is more than one beside the title
 */
export function stackCells(rows: ReactNode, heads: readonly string[]): ReactNode {
  return elementsIn(rows).map((row) =>
    cloneElement(
      row,
      {},
      elementsIn(row.props.children).map((cell, column) =>
        cloneElement(
          cell,
          column === 0
            ? { stack: 'title' }
            : {
                stack: 'foot',
                ...(heads.length > 2 && heads[column] !== '' ? { label: `${heads[column] ?? ''}:` } : {}),
              },
        ),
      ),
    ),
  );
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
