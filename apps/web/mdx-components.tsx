// Where Next looks for the elements that MDX pages are drawn with.
export { useMDXComponents } from './features/docs/mdx/components';
