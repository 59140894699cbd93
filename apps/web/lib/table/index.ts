export type { Column } from './column.types';
export { DataTable } from './data-table';
