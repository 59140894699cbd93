'use client';

import { useEffect } from 'react';

/** Says on the document’s root when the page’s script has taken the page over: whatever is clicked from then on is heard. */
export function ScriptedMark() {
  useEffect(() => {
    document.documentElement.dataset['scripted'] = 'yes';
  }, []);
  return null;
}
