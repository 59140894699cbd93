// The documentation pages in reading order. The text of each is content/<slug>.mdx.

export interface DocsEntry {
  /** Its file name in content/ and its path below /docs; the first page is /docs itself. */
  slug: string;
  title: string;
  /** One sentence, for search engines and under the title. */
  description: string;
}

export interface DocsSection {
  title: string;
  entries: readonly DocsEntry[];
  /** Whether the API reference (/docs/api, a separate page) is listed at its end. */
  hasApiReference?: true;
}

export const FIRST_SLUG = 'quick-start';
/** Excludes the API reference: it is listed here but has no MDX file. */
export const API_REFERENCE_SLUG = 'api';

export const DOCS_SECTIONS: readonly DocsSection[] = [
  {
    title: 'Get started',
    entries: [
      {
        slug: FIRST_SLUG,
        title: 'Quick start',
        description: 'Go from sign-up to your first record.',
      },
      {
        slug: 'concepts',
        title: 'Concepts',
        description: 'The parts of Penstock, the path of a record, and when it is durable.',
      },
      {
        slug: 'migrating',
        title: 'Migrating from Kafka',
        description: 'Move topics, offsets and clients with MirrorMaker 2.',
      },
    ],
  },
  {
    title: 'Run',
    entries: [
      { slug: 'deployment', title: 'Deployment', description: 'Run agents on Kubernetes, on ECS and on VMs.' },
      {
        slug: 'authentication',
        title: 'TLS and authentication',
        description: 'Listeners, certificates, users and passwords of Kafka clients.',
      },
      {
        slug: 'authorization',
        title: 'ACLs and quotas',
        description: 'What each Kafka client may do, and how much.',
      },
      {
        slug: 'metrics',
        title: 'Metrics and alerts',
        description: 'Metrics, Prometheus, traces and health rules.',
      },
      {
        slug: 'message-browser',
        title: 'Message browser',
        description: 'Read records in the dashboard. They never pass through our systems.',
      },
      {
        slug: 'failures',
        title: 'When a part is down',
        description: 'What happens and what you notice, part by part.',
      },
      {
        slug: 'security',
        title: 'Security and data boundary',
        description: 'What leaves your account, and who has access.',
      },
    ],
  },
  {
    title: 'Organization',
    entries: [
      { slug: 'roles', title: 'Roles', description: 'Roles and permissions.' },
      {
        slug: 'organization',
        title: 'SSO, audit log and deletion',
        description: 'Set up single sign-on, verify the audit log, export and delete an organization.',
      },
      {
        slug: 'pricing',
        title: 'Pricing and metering',
        description: 'What we bill, how usage is counted, and how to check an invoice.',
      },
    ],
  },
  {
    title: 'Reference',
    entries: [
      {
        slug: 'kafka',
        title: 'Limits and Kafka compatibility',
        description: 'Supported APIs, configs and clients, and the limits.',
      },
      { slug: 'agent', title: 'Agent', description: 'Every option of the agent, generated from its help.' },
      { slug: 'command-line', title: 'Command line', description: 'Every command, generated from its help.' },
      { slug: 'glossary', title: 'Glossary', description: 'Terms used in Penstock.' },
    ],
    hasApiReference: true,
  },
];

export const DOCS_ENTRIES: readonly DocsEntry[] = DOCS_SECTIONS.flatMap((section) => section.entries);

export function hrefOf(slug: string): string {
  return slug === FIRST_SLUG ? '/docs' : `/docs/${slug}`;
}

export function entryOf(slug: string): DocsEntry | undefined {
  return DOCS_ENTRIES.find((entry) => entry.slug === slug);
}
