'use client';

import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { cx } from '../cx.ts';

export interface DialogProps {
  open: boolean;
  /** Called when the user closes it: with Escape, the cross or a click outside. */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** Off when a stray click outside the dialog should not discard its content. */
  dismissOnOutsideClick?: boolean;
  /** For content that is shown only once, such as a key: only a button of the content closes the dialog. */
  mustBeConfirmed?: boolean;
  /** For content with long lines, such as code. */
  isWide?: boolean;
}

const FIELDS = 'input:not([type="hidden"], :disabled), textarea:not(:disabled), [role="combobox"]:not(:disabled)';

/** A modal dialog: focus starts at the first field and stays inside, Escape closes it, and focus returns to where it was. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  dismissOnOutsideClick = true,
  mustBeConfirmed = false,
  isWide = false,
}: DialogProps) {
  // The dialog is opened by state and has no trigger, so it must store the previously focused element itself.
  const opener = useRef<Element | null>(null);
  const content = useRef<HTMLDivElement>(null);
  return (
    <RadixDialog.Root open={open} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <RadixDialog.Portal>
        {/* As high as the content: a second dialog then dims the first one. */}
        <RadixDialog.Overlay className="fade-in fixed inset-0 z-50 bg-scrim" />
        <RadixDialog.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          ref={content}
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            event.preventDefault();
            // When confirmation is required, focuses the dialog instead of a field, so that a key press meant for another dialog cannot
            // confirm it.
            const field = mustBeConfirmed ? null : content.current?.querySelector<HTMLElement>(FIELDS);
            (field ?? content.current)?.focus();
          }}
          onEscapeKeyDown={(event) => {
            if (mustBeConfirmed) {
              event.preventDefault();
            }
          }}
          onCloseAutoFocus={(event) => {
            if (opener.current instanceof HTMLElement && opener.current.isConnected) {
              event.preventDefault();
              opener.current.focus();
            }
          }}
          onInteractOutside={(event) => {
            if (mustBeConfirmed || !dismissOnOutsideClick) {
              event.preventDefault();
            }
          }}
          className={cx(
            'rise-in fixed inset-x-3 bottom-3 z-50 mx-auto max-h-[calc(100dvh-1.5rem)] overflow-y-auto rounded-xl border border-line bg-surface p-5 shadow-float outline-none sm:top-[8vh] sm:bottom-auto sm:max-h-[86vh] sm:p-6',
            isWide ? 'max-w-3xl' : 'max-w-lg',
          )}
        >
          <div className="flex items-start justify-between gap-4">
            <RadixDialog.Title className="font-semibold text-ink text-lg leading-7 tracking-tight">
              {title}
            </RadixDialog.Title>
            {mustBeConfirmed ? null : (
              <RadixDialog.Close
                aria-label="Close"
                className="-mt-0.5 -mr-1 rounded-md p-1.5 text-ink-3 hover:bg-hover hover:text-ink"
              >
                <X aria-hidden className="size-4" />
              </RadixDialog.Close>
            )}
          </div>
          {description === undefined ? null : (
            <RadixDialog.Description className="mt-1 text-ink-2 text-sm leading-6">
              {description}
            </RadixDialog.Description>
          )}
          <div className="mt-4">{children}</div>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}
