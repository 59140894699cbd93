'use client';

import { Field, INPUT_CLASS } from '@penstock/ui';
import { Controller, type FormOf } from '../../lib/forms';
import type { ConnectionValues } from './connection-values';

/** The provider's metadata: its URL, or the document itself. */
export function SamlField({ form, isStored }: { form: FormOf<ConnectionValues>; isStored: boolean }) {
  return (
    <Controller
      control={form.control}
      name="samlMetadata"
      render={({ field: { ref, value, onChange }, fieldState }) => (
        <Field
          label="Provider metadata"
          error={fieldState.error?.message}
          hint={
            isStored
              ? 'Leave empty to keep the current provider. From a URL, we read new certificates each day.'
              : 'The metadata URL, or the metadata XML.'
          }
        >
          {(control) => (
            <textarea
              {...control}
              ref={ref}
              rows={4}
              value={value}
              onChange={onChange}
              placeholder="https://login.example.com/metadata"
              autoComplete="off"
              spellCheck={false}
              className={`${INPUT_CLASS} h-auto py-2 font-mono text-[0.8125rem]`}
            />
          )}
        </Field>
      )}
    />
  );
}

/** The settings to send for what was typed. Nothing typed keeps the current provider. */
export function samlSettings(typed: string, isStored: boolean): { samlMetadata?: string; samlMetadataUrl?: string } {
  const text = typed.trim();
  if (text === '' && isStored) {
    return {};
  }
  return /^https?:/.test(text) ? { samlMetadataUrl: text } : { samlMetadata: text };
}
