'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../primitives/button.tsx';

const CONFIRMATION_MS = 2_000;

type CopyState = 'idle' | 'copied' | 'failed';

/** Copies a text and confirms it; when the browser denies the clipboard, it says how to copy manually. */
export function CopyButton({ text, label, iconOnly = false }: { text: string; label: string; iconOnly?: boolean }) {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') {
      return;
    }
    const timer = setTimeout(() => setState('idle'), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      // Insecure origin or permission denied: the text stays selectable.
      setState('failed');
    }
  };
  const words = state === 'copied' ? 'Copied' : state === 'failed' ? 'Couldn’t copy. Select the text instead' : label;
  return (
    <Button
      variant={iconOnly ? 'quiet' : 'secondary'}
      size={iconOnly ? 'icon' : 'sm'}
      onClick={copy}
      aria-label={iconOnly ? words : undefined}
    >
      {state === 'copied' ? <Check aria-hidden className="text-ok-ink" /> : <Copy aria-hidden />}
      {iconOnly ? null : <span aria-live="polite">{words}</span>}
    </Button>
  );
}
