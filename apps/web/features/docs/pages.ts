// The compiled text of each page, and its headings.
import type { MDXContent } from 'mdx/types';
import Agent, { headings as agent } from './content/agent.mdx';
import CommandLine, { headings as commandLine } from './content/command-line.mdx';
import Concepts, { headings as concepts } from './content/concepts.mdx';
import Deployment, { headings as deployment } from './content/deployment.mdx';
import Failures, { headings as failures } from './content/failures.mdx';
import Glossary, { headings as glossary } from './content/glossary.mdx';
import Kafka, { headings as kafka } from './content/kafka.mdx';
import MessageBrowser, { headings as messageBrowser } from './content/message-browser.mdx';
import Metrics, { headings as metrics } from './content/metrics.mdx';
import Migrating, { headings as migrating } from './content/migrating.mdx';
import Organization, { headings as organization } from './content/organization.mdx';
import Pricing, { headings as pricing } from './content/pricing.mdx';
import QuickStart, { headings as quickStart } from './content/quick-start.mdx';
import Roles, { headings as roles } from './content/roles.mdx';
import Security, { headings as security } from './content/security.mdx';
import { DOCS_ENTRIES, hrefOf } from './contents';

export interface Heading {
  depth: number;
  id: string;
  text: string;
}

export interface DocsText {
  Content: MDXContent;
  headings: readonly Heading[];
}

const TEXTS: Readonly<Record<string, DocsText>> = {
  'quick-start': { Content: QuickStart, headings: quickStart },
  concepts: { Content: Concepts, headings: concepts },
  migrating: { Content: Migrating, headings: migrating },
  deployment: { Content: Deployment, headings: deployment },
  'message-browser': { Content: MessageBrowser, headings: messageBrowser },
  metrics: { Content: Metrics, headings: metrics },
  failures: { Content: Failures, headings: failures },
  security: { Content: Security, headings: security },
  roles: { Content: Roles, headings: roles },
  organization: { Content: Organization, headings: organization },
  pricing: { Content: Pricing, headings: pricing },
  kafka: { Content: Kafka, headings: kafka },
  agent: { Content: Agent, headings: agent },
  'command-line': { Content: CommandLine, headings: commandLine },
  glossary: { Content: Glossary, headings: glossary },
};

/** @throws Error when the contents name a page that has no text */
export function textOf(slug: string): DocsText {
  const text = TEXTS[slug];
  if (text === undefined) throw new Error(`The page ${slug} has no text`);
  return text;
}

/** What the search looks through: every page and every heading, with its address. */
export function searchEntries(): { title: string; page: string; href: string }[] {
  return DOCS_ENTRIES.flatMap(({ slug, title }) => [
    { title, page: '', href: hrefOf(slug) },
    ...textOf(slug).headings.map(({ id, text }) => ({ title: text, page: title, href: `${hrefOf(slug)}#${id}` })),
  ]);
}
