'use client';

import { useEffect } from 'react';

/** Marks the document’s root once the page’s script handles its controls: from then on clicks have an effect. */
export function ScriptedMark() {
  useEffect(() => {
    document.documentElement.dataset['scripted'] = 'yes';
  }, []);
  return null;
}
