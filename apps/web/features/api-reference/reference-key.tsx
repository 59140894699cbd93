'use client';

import { Field, Input } from '@penstock/ui';
import { createContext, type ReactNode, useContext, useState } from 'react';

const KeyContext = createContext('');

/** The key that requests from this page are sent with. It is kept in memory only. */
export function useReferenceKey(): string {
  return useContext(KeyContext);
}

export function ReferenceKey({ children }: { children: ReactNode }) {
  const [key, setKey] = useState('');
  return (
    <KeyContext value={key}>
      <div className="max-w-xl rounded-lg border border-line bg-surface p-4">
        <Field label="API key" hint="Used for requests that you send from this page. It isn’t stored.">
          {(control) => (
            <Input
              {...control}
              type="password"
              value={key}
              onChange={({ target }) => setKey(target.value.trim())}
              autoComplete="off"
              spellCheck={false}
              placeholder="psk_api_…"
              className="font-mono"
            />
          )}
        </Field>
      </div>
      {children}
    </KeyContext>
  );
}
