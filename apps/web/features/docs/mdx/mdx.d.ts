// What a compiled page exports: its text, and what remark-docs.mjs adds.
declare module '*.mdx' {
  import type { MDXContent } from 'mdx/types';

  export const headings: readonly { depth: number; id: string; text: string }[];
  /** The words below each heading by its id, each once and in lower case; those before the first heading by ''. */
  export const words: Readonly<Record<string, string>>;
  const Content: MDXContent;
  // biome-ignore lint/style/noDefaultExport: MDX exports its text so
  export default Content;
}
