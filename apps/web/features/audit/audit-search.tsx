'use client';

import { Button, Field, Input, Select } from '@penstock/ui';
import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type AuditFilter, fromLocalField, sources, sourceText, toLocalField, withoutNothing } from './audit-filter';
import { actionOptions } from './describe-action';

const ANY = 'any';
const ACTIONS = [{ value: ANY, label: 'Any' }, ...actionOptions];
const SOURCES = [{ value: ANY, label: 'Any' }, ...sources.map((value) => ({ value, label: sourceText(value) }))];

/** Searches only on submit, so that half-typed names send no requests. Use a new key for another search. */
export function AuditSearch({ filter, onSearch }: { filter: AuditFilter; onSearch: (filter: AuditFilter) => void }) {
  const [actor, setActor] = useState(filter.actor ?? '');
  const [action, setAction] = useState(filter.action ?? ANY);
  const [target, setTarget] = useState(filter.target ?? '');
  const [source, setSource] = useState<string>(filter.source ?? ANY);
  const [from, setFrom] = useState(toLocalField(filter.from));
  const [to, setTo] = useState(toLocalField(filter.to));
  const isEmptyRange = from !== '' && to !== '' && from >= to;

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isEmptyRange) {
      return;
    }
    onSearch(
      withoutNothing({
        actor: actor.trim() || undefined,
        action: action === ANY ? undefined : action,
        target: target.trim() || undefined,
        source: sources.find((known) => known === source),
        from: fromLocalField(from),
        to: fromLocalField(to),
      }),
    );
  };

  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <Field label="Who">
          {(control) => (
            <Input
              {...control}
              value={actor}
              maxLength={200}
              onChange={(event) => setActor(event.target.value)}
              placeholder="Name, email or ID"
              autoComplete="off"
            />
          )}
        </Field>
        <Field label="What">
          {(control) => (
            <Select
              {...control}
              value={action}
              options={ACTIONS.some(({ value }) => value === action) ? ACTIONS : [...ACTIONS, only(action)]}
              onValueChange={setAction}
            />
          )}
        </Field>
        <Field label="Object ID">
          {(control) => (
            <Input
              {...control}
              value={target}
              maxLength={300}
              onChange={(event) => setTarget(event.target.value)}
              placeholder="Exact ID, such as a cluster ID"
              autoComplete="off"
            />
          )}
        </Field>
        <Field label="Source">
          {(control) => <Select {...control} value={source} options={SOURCES} onValueChange={setSource} />}
        </Field>
        <Field label="From">
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              value={from}
              max="2999-12-31T23:59"
              onChange={(event) => setFrom(event.target.value)}
            />
          )}
        </Field>
        <Field label="To" error={isEmptyRange ? 'Choose a time after “From”.' : undefined}>
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              value={to}
              max="2999-12-31T23:59"
              onChange={(event) => setTo(event.target.value)}
            />
          )}
        </Field>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary">
          <Search aria-hidden />
          Search
        </Button>
        {Object.keys(filter).length === 0 ? null : (
          <Button variant="quiet" onClick={() => onSearch({})}>
            Clear
          </Button>
        )}
      </div>
    </form>
  );
}

/** An action from the URL that this page has no text for. */
function only(action: string): { value: string; label: string } {
  return { value: action, label: action };
}
