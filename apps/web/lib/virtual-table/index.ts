export { type VirtualColumn, VirtualTable } from './virtual-table';
