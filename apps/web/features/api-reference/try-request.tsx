'use client';

import { Button, Field, Input, Notice } from '@penstock/ui';
import { type FormEvent, useId, useState } from 'react';
import { buildRequest, type TriedRequest } from './build-request';
import type { ReferenceOperation } from './prepare-reference';
import { useReferenceKey } from './reference-key';

type Tried = Pick<ReferenceOperation, 'id' | 'method' | 'path' | 'parameters' | 'body'>;

/** Sends an operation's request from this page and shows the response. */
export function TryRequest({ operation }: { operation: Tried }) {
  const [isOpen, setIsOpen] = useState(false);
  return isOpen ? (
    <RequestForm operation={operation} />
  ) : (
    <Button size="sm" onClick={() => setIsOpen(true)}>
      Try it
    </Button>
  );
}

interface Answer {
  status: string;
  text: string;
}

async function send({ url, ...request }: TriedRequest): Promise<Answer> {
  // Authenticates by the key alone; the session cookie is not sent.
  const response = await fetch(url, { ...request, credentials: 'omit', cache: 'no-store' });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    text: isJson ? JSON.stringify(JSON.parse(text), null, 2) : text,
  };
}

function RequestForm({ operation }: { operation: Tried }) {
  const key = useReferenceKey();
  const bodyId = useId();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(operation.body?.example ?? '{}');
  const [fault, setFault] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const built = buildRequest(operation, { key, values, body });
    setFault('fault' in built ? built.fault : null);
    if ('request' in built && !isPending) {
      setIsPending(true);
      setAnswer(null);
      send(built.request)
        .then(setAnswer, () => setFault('No response. Check your connection and try again.'))
        .finally(() => setIsPending(false));
    }
  };
  return (
    // biome-ignore lint/correctness/noRestrictedElements: sends whatever was typed, faults included, to show what the API answers
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4 rounded-lg border border-line bg-inset p-4">
      {operation.parameters.length === 0 ? null : (
        <div className="grid gap-4 sm:grid-cols-2">
          {operation.parameters.map(({ name, isRequired }) => (
            <Field key={name} label={isRequired ? `${name} (required)` : name}>
              {(control) => (
                <Input
                  {...control}
                  value={values[name] ?? ''}
                  onChange={({ target }) => setValues((before) => ({ ...before, [name]: target.value }))}
                  autoComplete="off"
                  spellCheck={false}
                  className="font-mono"
                />
              )}
            </Field>
          ))}
        </div>
      )}
      {operation.body === null ? null : (
        <div className="flex flex-col gap-1.5">
          <label htmlFor={bodyId} className="font-medium text-ink text-sm">
            Body
          </label>
          <textarea
            id={bodyId}
            value={body}
            onChange={({ target }) => setBody(target.value)}
            rows={Math.min(12, body.split('\n').length + 1)}
            spellCheck={false}
            className="w-full rounded-md border border-line-input bg-surface p-3 font-mono text-ink text-xs leading-5 focus-visible:outline-2 focus-visible:outline-focus focus-visible:outline-offset-0"
          />
        </div>
      )}
      {fault === null ? null : <Notice tone="danger" title={fault} />}
      <div>
        <Button type="submit" variant="primary" size="sm" pending={isPending}>
          {isPending ? 'Sending…' : 'Send request'}
        </Button>
      </div>
      {answer === null ? null : (
        <section aria-label={`Response of ${operation.id}`}>
          <p role="status" className="font-medium font-mono text-ink text-sm">
            {answer.status}
          </p>
          {answer.text === '' ? null : (
            <pre
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
              tabIndex={0}
              className="mt-2 max-h-96 overflow-auto rounded-md border border-line bg-surface p-3 font-mono text-ink text-xs leading-5 focus-visible:-outline-offset-2"
            >
              {answer.text}
            </pre>
          )}
        </section>
      )}
    </form>
  );
}
