// How a reader looks at a table: its order, its filter and the columns that are left out. Pure.

export interface SortOrder {
  column: string;
  isDescending: boolean;
}

export interface TableView {
  /** Null for the order that the rows come in. */
  order: SortOrder | null;
  filter: string;
  /** Keys of the columns. */
  hidden: readonly string[];
}

export const PLAIN_VIEW: TableView = { order: null, filter: '', hidden: [] };

/**
 * The view in a page’s URL, such as `?sort=-size&filter=orders&hide=records`.
 * @param name stands before each parameter, with a dot, on pages with several tables; empty for the page’s only one
 */
export function readView(parameters: URLSearchParams, name: string): TableView {
  const { sort, filter, hide } = parameterNames(name);
  const order = parameters.get(sort) ?? '';
  const isDescending = order.startsWith('-');
  const column = isDescending ? order.slice(1) : order;
  return {
    order: column === '' ? null : { column, isDescending },
    filter: parameters.get(filter) ?? '',
    hidden: (parameters.get(hide) ?? '').split(',').filter((key) => key !== ''),
  };
}

/** The parameters with this view in place of the one before. */
export function withView(parameters: URLSearchParams, name: string, view: TableView): URLSearchParams {
  const { sort, filter, hide } = parameterNames(name);
  const next = new URLSearchParams(parameters);
  // Always in this order, whichever was chosen first: the same view has the same URL.
  const put = (parameter: string, value: string): void => {
    next.delete(parameter);
    if (value !== '') {
      next.append(parameter, value);
    }
  };
  put(sort, view.order === null ? '' : `${view.order.isDescending ? '-' : ''}${view.order.column}`);
  put(filter, view.filter);
  put(hide, view.hidden.join(','));
  return next;
}

/**
 * Takes note that the page sees an address. The page sees those that a table wrote some time later, when the table may have written another
 * one, so an address of its own says nothing about the view.
 * @param written the address that was seen last, then those written since
 * @returns from the seen one on; undefined if somebody else changed the address
 */
export function notSeenSince(written: readonly string[], seen: string): readonly string[] | undefined {
  const at = written.lastIndexOf(seen);
  return at === -1 ? undefined : written.slice(at);
}

function parameterNames(name: string): { sort: string; filter: string; hide: string } {
  const prefix = name === '' ? '' : `${name}.`;
  return { sort: `${prefix}sort`, filter: `${prefix}filter`, hide: `${prefix}hide` };
}

/** The order after a click on a column’s header: the column’s first direction, then the other, then none. */
export function nextOrder(before: SortOrder | null, first: SortOrder): SortOrder | null {
  if (before?.column !== first.column) {
    return first;
  }
  return before.isDescending === first.isDescending ? { ...first, isDescending: !first.isDescending } : null;
}
