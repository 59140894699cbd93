// The exports of a compiled page: its text, and what remark-docs.mjs adds.
declare module '*.mdx' {
  import type { MDXContent } from 'mdx/types';

  export const headings: readonly { depth: number; id: string; text: string }[];
  /** The words below each heading by its id, without duplicates and in lower case. The key '' holds those before the first heading. */
  export const words: Readonly<Record<string, string>>;
  const Content: MDXContent;
  // biome-ignore lint/style/noDefaultExport: MDX exports a page's text as the default
  export default Content;
}
