'use client';

import { X } from 'lucide-react';
import { Toast as RadixToast } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { cx } from '../cx.ts';

export interface ToastMessage {
  title: string;
  description?: string;
  tone?: 'ok' | 'danger';
}
type Shown = ToastMessage & { id: number };
type ShowToast = (message: ToastMessage) => void;

const ToastContext = createContext<ShowToast | null>(null);

/** Returns the function that confirms a finished action in a toast. Failures belong in place, not here. */
export function useToast(): ShowToast {
  const show = useContext(ToastContext);
  if (show === null) {
    throw new Error('useToast needs a <ToastProvider> above it');
  }
  return show;
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const nextId = useRef(0);
  const show = useCallback<ShowToast>((message) => {
    nextId.current += 1;
    const id = nextId.current;
    setShown((before) => [...before.slice(-2), { ...message, id }]);
  }, []);
  const value = useMemo(() => show, [show]);
  return (
    <ToastContext value={value}>
      <RadixToast.Provider swipeDirection="right" duration={6000}>
        {children}
        {shown.map((message) => (
          <RadixToast.Root
            key={message.id}
            onOpenChange={(open) => {
              if (!open) {
                setShown((before) => before.filter((other) => other.id !== message.id));
              }
            }}
            className="rise-in flex items-start gap-3 rounded-lg border border-line bg-surface px-4 py-3 shadow-float"
          >
            <span
              aria-hidden
              className={cx('mt-2 size-2 shrink-0 rounded-full', message.tone === 'danger' ? 'bg-danger' : 'bg-ok')}
            />
            <div className="min-w-0 flex-1">
              <RadixToast.Title className="font-medium text-ink text-sm leading-6">{message.title}</RadixToast.Title>
              {message.description === undefined ? null : (
                <RadixToast.Description className="text-[0.8125rem] text-ink-2 leading-5">
                  {message.description}
                </RadixToast.Description>
              )}
            </div>
            <RadixToast.Close aria-label="Dismiss" className="rounded p-1 text-ink-3 hover:bg-hover hover:text-ink">
              <X aria-hidden className="size-4" />
            </RadixToast.Close>
          </RadixToast.Root>
        ))}
        <RadixToast.Viewport className="fixed right-4 bottom-4 z-[60] flex w-[22rem] max-w-[calc(100vw-2rem)] flex-col gap-2 outline-none" />
      </RadixToast.Provider>
    </ToastContext>
  );
}
