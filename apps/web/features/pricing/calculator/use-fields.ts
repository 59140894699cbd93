'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { type Fields, fieldsOfQuery, queryOfFields, tidy } from './fields';

const URL_DELAY_MS = 200;

/** The form's fields, mirrored in the URL once they settle. Back and Forward restore earlier ones. */
export function useFields(initial: Fields) {
  const [fields, setFields] = useState(initial);
  const [settled, setSettled] = useState(initial);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    // Browsers reject more than about a hundred URL changes in half a minute, so a dragged slider updates the URL when it rests.
    const timer = setTimeout(() => {
      const query = queryOfFields(fields);
      const next = query === '' ? window.location.pathname : `?${query}`;
      window.history.replaceState(null, '', `${next}${window.location.hash}`);
      setSettled(fields);
    }, URL_DELAY_MS);
    return () => clearTimeout(timer);
  }, [fields]);
  useEffect(() => {
    const read = () => setFields(fieldsOfQuery(Object.fromEntries(new URLSearchParams(window.location.search))));
    window.addEventListener('popstate', read);
    return () => window.removeEventListener('popstate', read);
  }, []);
  const set = useCallback((key: string, text: string) => setFields((before) => tidy({ ...before, [key]: text })), []);
  const reset = useCallback(
    (key: string) => setFields((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== key))),
    [],
  );
  const resetAll = useCallback(() => setFields({}), []);
  return { fields, settled, set, reset, resetAll };
}
