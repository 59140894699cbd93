import { CodeBlock } from '@penstock/ui';
import { isValidElement, type ReactNode } from 'react';

const TITLES: Readonly<Record<string, string>> = {
  sh: 'Terminal',
  python: 'Python',
  yaml: 'YAML',
  json: 'JSON',
  properties: 'Properties',
  ini: 'Unit file',
};

/** A fenced code block with a copy button. Markdown passes it as `<pre><code class="language-…">`. */
export function Fence({ children }: { children?: ReactNode }) {
  if (!isValidElement<{ className?: string; 'data-title'?: string; children?: ReactNode }>(children)) {
    return <pre>{children}</pre>;
  }
  const { className = '', 'data-title': title, children: code } = children.props;
  const language = className.replace('language-', '');
  return (
    <div className="mt-5">
      <CodeBlock title={title ?? TITLES[language] ?? 'Output'} code={String(code).trimEnd()} />
    </div>
  );
}
