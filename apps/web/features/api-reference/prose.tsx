import { Fragment, type ReactNode } from 'react';

/** Renders text with `code` and **strong**, as the OpenAPI document writes it. */
export function Prose({ text }: { text: string }): ReactNode {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    const inner = part.replace(/^(`|\*\*)|(`|\*\*)$/g, '');
    return part.startsWith('`') ? (
      <code key={index} className="break-words rounded bg-inset px-1 py-0.5 font-mono text-[0.9em] text-ink">
        {inner}
      </code>
    ) : part.startsWith('**') ? (
      <strong key={index} className="font-medium text-ink">
        {inner}
      </strong>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    );
  });
}
