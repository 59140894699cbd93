'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { notSeenSince, PLAIN_VIEW, readView, type TableView, withView } from './table-view';

/** Browsers limit how often a page may change its URL, so it follows typing at this distance. */
const WRITE_AFTER_MS = 250;

/**
 * The reader’s view of a table, which the page’s URL holds too, so that a link and a reload show the same.
 * @param address the table’s name in the URL, empty for the page’s only one; undefined keeps the view out of the URL
 */
export function useTableView(address: string | undefined): [TableView, (next: TableView) => void] {
  const parameters = useSearchParams();
  const search = parameters.toString();
  const [view, setView] = useState(() => (address === undefined ? PLAIN_VIEW : readView(parameters, address)));
  /** The address as the page saw it last, then those that were written since. */
  const written = useRef<readonly string[]>([search]);
  const timer = useRef<number | undefined>(undefined);
  // Somebody went back, or followed a link to this page.
  useEffect(() => {
    if (address === undefined) {
      return;
    }
    const own = notSeenSince(written.current, search);
    if (own !== undefined) {
      written.current = own;
    } else if (timer.current === undefined) {
      written.current = [search];
      setView(readView(new URLSearchParams(search), address));
    }
  }, [address, search]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const change = (next: TableView): void => {
    setView(next);
    if (address === undefined) {
      return;
    }
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      timer.current = undefined;
      const text = withView(new URLSearchParams(window.location.search), address, next).toString();
      written.current = [...written.current, text];
      const { pathname, hash } = window.location;
      window.history.replaceState(null, '', `${pathname}${text === '' ? '' : `?${text}`}${hash}`);
    }, WRITE_AFTER_MS);
  };
  return [view, change];
}
