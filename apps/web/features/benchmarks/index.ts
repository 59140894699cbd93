export { BenchmarksPage } from './benchmarks-page';
export type { OwnResult } from './own-result';
