'use client';

import { Button } from '@penstock/ui';
import { z } from 'zod';
import { Form, SelectField, TextField, useForm } from '../../lib/forms';
import { type AuditFilter, fromLocalField, sources, sourceText, toLocalField, withoutNothing } from './audit-filter';
import { actionOptions } from './describe-action';

const ANY = 'any';
const ACTIONS = [{ value: ANY, label: 'Any' }, ...actionOptions];
const SOURCES = [{ value: ANY, label: 'Any' }, ...sources.map((value) => ({ value, label: sourceText(value) }))];

const searchFields = z
  .object({
    actor: z.string().trim(),
    action: z.string(),
    target: z.string().trim(),
    source: z.string(),
    from: z.string(),
    to: z.string(),
  })
  .refine(({ from, to }) => from === '' || to === '' || from < to, {
    path: ['to'],
    error: 'Choose a time after “From”.',
  });

/** Searches only on submit, so that half-typed names send no requests. Use a new key for another search. */
export function AuditSearch({ filter, onSearch }: { filter: AuditFilter; onSearch: (filter: AuditFilter) => void }) {
  const form = useForm({
    initial: {
      actor: filter.actor ?? '',
      action: filter.action ?? ANY,
      target: filter.target ?? '',
      source: filter.source ?? ANY,
      from: toLocalField(filter.from),
      to: toLocalField(filter.to),
    },
    schema: searchFields,
    send: async ({ actor, action, target, source, from, to }) =>
      onSearch(
        withoutNothing({
          actor: actor || undefined,
          action: action === ANY ? undefined : action,
          target: target || undefined,
          source: sources.find((known) => known === source),
          from: fromLocalField(from),
          to: fromLocalField(to),
        }),
      ),
  });
  const { action = ANY } = filter;
  return (
    <Form
      form={form}
      labels={['Search', 'Search']}
      variant="primary"
      buttons={
        Object.keys(filter).length === 0 ? null : (
          <Button variant="quiet" onClick={() => onSearch({})}>
            Clear
          </Button>
        )
      }
    >
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <TextField form={form} name="actor" label="Who" maxLength={200} placeholder="Name, email or ID" />
        <SelectField
          form={form}
          name="action"
          label="What"
          options={ACTIONS.some(({ value }) => value === action) ? ACTIONS : [...ACTIONS, only(action)]}
        />
        <TextField
          form={form}
          name="target"
          label="Object ID"
          maxLength={300}
          placeholder="Exact ID, such as a cluster ID"
        />
        <SelectField form={form} name="source" label="Source" options={SOURCES} />
        <TextField form={form} name="from" label="From" type="datetime-local" max="2999-12-31T23:59" />
        <TextField form={form} name="to" label="To" type="datetime-local" max="2999-12-31T23:59" />
      </div>
    </Form>
  );
}

/** An action from the URL that this page has no text for. */
function only(action: string): { value: string; label: string } {
  return { value: action, label: action };
}
