export { type Formula, readFormula } from './formula.ts';
export { type Cell, type CellSpec, compileCells, Worksheet } from './worksheet.ts';
