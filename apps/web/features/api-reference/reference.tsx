import { Badge, CodeBlock, type Tone } from '@penstock/ui';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type {
  Reference as PreparedReference,
  ReferenceContent,
  ReferenceField,
  ReferenceOperation,
  ReferenceParameter,
  ReferenceSchema,
} from './prepare-reference';
import { Prose } from './prose';
import { ReferenceKey } from './reference-key';
import { TryRequest } from './try-request';

const METHODS: Readonly<Record<string, Tone>> = { GET: 'neutral', POST: 'ok', PATCH: 'warn', DELETE: 'danger' };

function schemaAnchor(name: string): string {
  return `schema-${name}`;
}

function sectionAnchor(tag: string): string {
  return `section-${tag.replaceAll(' ', '-').toLowerCase()}`;
}

/** Every operation with its parameters, responses and a form to try it, and the schemas they use. */
export function Reference({ reference: { introduction, sections, schemas } }: { reference: PreparedReference }) {
  return (
    <ReferenceKey>
      <Introduction text={introduction} />
      <nav aria-label="Sections of the API" className="mt-8 flex flex-wrap gap-x-4 gap-y-2 text-sm">
        {[...sections.map(({ tag }) => [tag, sectionAnchor(tag)] as const), ['Schemas', 'schemas'] as const].map(
          ([label, anchor]) => (
            <a key={anchor} href={`#${anchor}`} className="rounded text-accent-ink underline underline-offset-4">
              {label}
            </a>
          ),
        )}
      </nav>
      {sections.map(({ tag, operations }) => (
        <section key={tag} aria-labelledby={sectionAnchor(tag)}>
          <h2 id={sectionAnchor(tag)} className="mt-12 font-semibold text-ink text-xl tracking-tight">
            {tag}
          </h2>
          <ul className="mt-4 overflow-hidden rounded-xl border border-line bg-surface">
            {operations.map((operation) => (
              <li key={operation.id} className="border-line border-b last:border-b-0">
                <Operation operation={operation} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section aria-labelledby="schemas">
        <h2 id="schemas" className="mt-12 font-semibold text-ink text-xl tracking-tight">
          Schemas
        </h2>
        <ul className="mt-4 overflow-hidden rounded-xl border border-line bg-surface">
          {schemas.map((schema) => (
            <li key={schema.name} className="border-line border-b last:border-b-0">
              <SchemaDetails schema={schema} />
            </li>
          ))}
        </ul>
      </section>
    </ReferenceKey>
  );
}

/** The list in the introduction of the OpenAPI document. Its first paragraph is the lead of the page, too. */
function Introduction({ text }: { text: string }) {
  return (
    <ul className="mt-8 max-w-3xl list-disc space-y-2 pl-6 text-ink-2 leading-7 marker:text-ink-3">
      {text
        .split('\n')
        .filter((line) => line.startsWith('- '))
        .map((line) => (
          <li key={line}>
            <Prose text={line.slice(2)} />
          </li>
        ))}
    </ul>
  );
}

interface DisclosureProps {
  id?: string;
  /** Opens the section that a link points into. */
  contentId?: string;
  summary: ReactNode;
  children: ReactNode;
}

function Disclosure({ id, contentId, summary, children }: DisclosureProps) {
  return (
    <details id={id} className="group">
      <summary className="flex list-none items-start gap-2 px-4 py-3 text-sm hover:bg-hover focus-visible:-outline-offset-2 sm:px-5 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="mt-0.5 size-4 shrink-0 text-ink-3 transition-transform group-open:rotate-90"
        />
        {summary}
      </summary>
      <div id={contentId} className="flex min-w-0 scroll-mt-32 flex-col gap-5 px-4 pt-1 pb-5 sm:pr-5 sm:pl-11">
        {children}
      </div>
    </details>
  );
}

function Operation({ operation }: { operation: ReferenceOperation }) {
  const { id, anchor, method, path, summary, description, parameters, body, answers } = operation;
  return (
    <Disclosure
      id={anchor}
      summary={
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="shrink-0 sm:w-16">
            <Badge tone={METHODS[method] ?? 'neutral'}>{method}</Badge>
          </span>
          <code className="break-all font-mono text-[0.8125rem] text-ink max-sm:order-last max-sm:basis-full">
            {path}
          </code>
          <span className="min-w-0 text-ink-2 max-sm:flex-1">
            <Prose text={summary} />
          </span>
        </span>
      }
    >
      {description === '' ? null : (
        <p className="max-w-prose text-ink-2 text-sm leading-6">
          <Prose text={description} />
        </p>
      )}
      {parameters.length === 0 ? null : (
        <Part title="Parameters">
          <Fields fields={parameters} />
        </Part>
      )}
      {body === null ? null : (
        <Part title="Body">
          {body.fields.length === 0 ? <TypeText content={body} /> : <Fields fields={body.fields} />}
          {body.example === null ? null : (
            <div className="mt-3">
              <CodeBlock title={`Example body of ${id}`} code={body.example} />
            </div>
          )}
        </Part>
      )}
      <Part title="Responses">
        <dl className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-[0.8125rem] leading-6">
          {answers.map(({ status, text, content }) => (
            <div key={status} className="contents">
              <dt className="font-mono text-ink">{status}</dt>
              <dd className="min-w-0 text-ink-2">
                {text}
                {content === null ? null : (
                  <>
                    {': '}
                    <TypeText content={content} />
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </Part>
      <TryRequest operation={{ id, method, path, parameters, body }} />
    </Disclosure>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-2 font-medium text-ink text-sm">{title}</h3>
      {children}
    </div>
  );
}

/** A type, with links to the schemas that it uses. */
function TypeText({ content: { type, schemas } }: { content: Pick<ReferenceContent, 'type' | 'schemas'> }) {
  return type.split(/([A-Za-z]+)/).map((word, index) =>
    schemas.includes(word) ? (
      <a key={index} href={`#${schemaAnchor(word)}`} className="rounded text-accent-ink underline underline-offset-4">
        {word}
      </a>
    ) : (
      word
    ),
  );
}

function Fields({ fields }: { fields: readonly (ReferenceField | ReferenceParameter)[] }) {
  return (
    <dl className="divide-y divide-line border-line border-y text-[0.8125rem] leading-6">
      {fields.map((field) => (
        <div key={field.name} className="grid gap-x-4 py-1.5 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <dt className="min-w-0">
            <code className="break-all font-mono text-ink">{field.name}</code>
            <span className="block text-ink-3 text-xs">
              {'place' in field ? `${field.place}, ` : ''}
              <span className="wrap-anywhere">{field.type}</span>
              {field.isRequired ? ', required' : ''}
            </span>
          </dt>
          <dd className="wrap-anywhere min-w-0 text-ink-2">
            <Prose text={field.note} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function SchemaDetails({ schema: { name, description, fields, example } }: { schema: ReferenceSchema }) {
  return (
    <Disclosure
      contentId={schemaAnchor(name)}
      summary={<code className="font-mono text-[0.8125rem] text-ink">{name}</code>}
    >
      {description === '' ? null : (
        <p className="max-w-prose text-ink-2 text-sm leading-6">
          <Prose text={description} />
        </p>
      )}
      {fields.length === 0 ? null : <Fields fields={fields} />}
      {example === null ? null : <CodeBlock title={`Example of ${name}`} code={example} />}
    </Disclosure>
  );
}
