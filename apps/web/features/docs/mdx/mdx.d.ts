// What a compiled page exports: its text, and what remark-docs.mjs adds.
declare module '*.mdx' {
  import type { MDXContent } from 'mdx/types';

  export const headings: readonly { depth: number; id: string; text: string }[];
  const Content: MDXContent;
  // biome-ignore lint/style/noDefaultExport: MDX exports its text so
  export default Content;
}
