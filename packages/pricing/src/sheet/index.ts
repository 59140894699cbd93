export { type Formula, readFormula } from './formula.ts';
export { type Cell, type CellSpec, compileCells, Sheet } from './sheet.ts';
