// The compiled text of each page, its headings and the search index.
import type { MDXContent } from 'mdx/types';
import * as agent from './content/agent.mdx';
import * as authentication from './content/authentication.mdx';
import * as authorization from './content/authorization.mdx';
import * as commandLine from './content/command-line.mdx';
import * as concepts from './content/concepts.mdx';
import * as deployment from './content/deployment.mdx';
import * as failures from './content/failures.mdx';
import * as glossary from './content/glossary.mdx';
import * as kafka from './content/kafka.mdx';
import * as messageBrowser from './content/message-browser.mdx';
import * as metrics from './content/metrics.mdx';
import * as migrating from './content/migrating.mdx';
import * as organization from './content/organization.mdx';
import * as pricing from './content/pricing.mdx';
import * as quickStart from './content/quick-start.mdx';
import * as roles from './content/roles.mdx';
import * as security from './content/security.mdx';
import { DOCS_ENTRIES, hrefOf } from './contents';
import { GENERATED_WORDS } from './navigation/generated-words';
import type { SearchEntry } from './navigation/search-docs';

export interface Heading {
  depth: number;
  id: string;
  text: string;
}

export interface DocsText {
  Content: MDXContent;
  headings: readonly Heading[];
}

interface CompiledPage {
  default: MDXContent;
  headings: readonly Heading[];
  words: Readonly<Record<string, string>>;
}

const PAGES: Readonly<Record<string, CompiledPage>> = {
  'quick-start': quickStart,
  concepts,
  migrating,
  deployment,
  authentication,
  authorization,
  'message-browser': messageBrowser,
  metrics,
  failures,
  security,
  roles,
  organization,
  pricing,
  kafka,
  agent,
  'command-line': commandLine,
  glossary,
};

/** @throws Error when the contents list a page that has no text */
function pageOf(slug: string): CompiledPage {
  const page = PAGES[slug];
  if (page === undefined) {
    throw new Error(`The page ${slug} has no text`);
  }
  return page;
}

/** @throws Error when the contents list a page that has no text */
export function textOf(slug: string): DocsText {
  const { default: Content, headings } = pageOf(slug);
  return { Content, headings };
}

/** The search index: every page and heading with its address and the words below it. */
export function searchEntries(): SearchEntry[] {
  return DOCS_ENTRIES.flatMap(({ slug, title }) => {
    const { headings, words } = pageOf(slug);
    return [
      { title, page: '', href: hrefOf(slug), words: words[''] ?? '' },
      ...headings.map(({ id, text }) => ({
        title: text,
        page: title,
        href: `${hrefOf(slug)}#${id}`,
        words: [words[id], GENERATED_WORDS[`${slug}#${id}`]].filter(Boolean).join(' '),
      })),
    ];
  });
}
