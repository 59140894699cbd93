// Next reads the MDX elements from this file.
export { useMDXComponents } from './features/docs/mdx/components';
