import type { ReactNode } from 'react';

/** A numbered section of a public page. */
export function Section(props: { id: string; number: string; title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <section id={props.id} aria-labelledby={`${props.id}-title`} className="border-line border-t">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-8 sm:py-24">
        <div className="grid gap-x-12 gap-y-4 md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
          <div>
            <p className="font-mono text-accent-ink text-xs">{props.number}</p>
            <h2 id={`${props.id}-title`} className="mt-2 text-balance font-semibold text-3xl text-ink tracking-tight">
              {props.title}
            </h2>
          </div>
          <div className="text-ink-2 leading-7 md:pt-7">{props.lead}</div>
        </div>
        <div className="mt-10">{props.children}</div>
      </div>
    </section>
  );
}
