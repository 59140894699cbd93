// Generated inputs for properties of everything that reads bytes, texts or JSON of others.
export {
  bentJson,
  bentText,
  damagedBytes,
  hostileNumber,
  hostileText,
  hostileValue,
  unstorableTexts,
} from './hostile.ts';
export { readCsv, readCsvRecords } from './read-csv.ts';
export { type FuzzGroup, type FuzzRun, runFuzz } from './run-fuzz.ts';
