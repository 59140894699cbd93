import { cx, Notice, Table, Td, Th, Tr } from '@penstock/ui';
import type { MDXComponents } from 'mdx/types';
import Link from 'next/link';
import type { ComponentProps } from 'react';
import { parts } from '../parts/parts';
import { stackTable } from '../parts/stack-cells';
import { pictures } from '../pictures/pictures';
import { Fence } from './fence';

const elements: MDXComponents = {
  h2: (props) => <Heading level={2} {...props} />,
  h3: (props) => <Heading level={3} {...props} />,
  p: (props) => <p className="wrap-anywhere mt-4 text-ink-2 leading-7" {...props} />,
  ul: (props) => <ul className="mt-4 list-disc space-y-2 pl-6 text-ink-2 leading-7 marker:text-ink-3" {...props} />,
  ol: (props) => <ol className="mt-4 list-decimal space-y-3 pl-6 text-ink-2 leading-7 marker:text-ink-3" {...props} />,
  li: (props) => <li className="wrap-anywhere pl-1 [&>p:first-child]:mt-0" {...props} />,
  strong: (props) => <strong className="font-medium text-ink" {...props} />,
  code: ({ className, ...props }) => (
    <code
      className={cx('break-words rounded bg-inset px-1.5 py-0.5 font-mono text-[0.8125rem] text-ink', className)}
      {...props}
    />
  ),
  pre: (props) => <Fence {...props} />,
  a: (props) => <TextLink {...props} />,
  table: ({ 'aria-label': label = 'Table', children }) => (
    <div className="mt-6 rounded-lg border border-line bg-surface">
      <Table label={label} stacks>
        {stackTable(children)}
      </Table>
    </div>
  ),
  th: ({ style: _, ...props }) => <Th {...props} />,
  td: ({ style: _, ...props }) => <Td className="align-top leading-6" {...props} />,
  tr: (props) => <Tr {...props} />,
  Notice: (props: ComponentProps<typeof Notice>) => (
    <div className="mt-6">
      <Notice {...props} />
    </div>
  ),
};

/** How Markdown elements and our own MDX components are drawn. */
export function useMDXComponents(): MDXComponents {
  return { ...elements, ...parts, ...pictures };
}

/** A heading with a link to itself. */
function Heading({ level, id, children, ...rest }: ComponentProps<'h2'> & { level: 2 | 3 }) {
  const Tag = `h${level}` as const;
  return (
    <Tag
      id={id}
      {...rest}
      className={cx(
        'group font-semibold text-ink tracking-tight',
        level === 2 ? 'mt-14 border-line border-t pt-6 text-xl' : 'mt-8 text-base',
      )}
    >
      <a href={`#${id}`} className="rounded hover:underline hover:decoration-line-strong hover:underline-offset-4">
        {children}
      </a>
    </Tag>
  );
}

function TextLink({ href = '', children }: ComponentProps<'a'>) {
  const className = 'font-medium text-accent-ink underline underline-offset-4';
  // Documents and other sites are outside the app's router.
  const isPage = href.startsWith('/') && !href.startsWith('/api/');
  return isPage ? (
    <Link href={href} prefetch={false} className={className}>
      {children}
    </Link>
  ) : (
    <a href={href} className={className}>
      {children}
    </a>
  );
}
