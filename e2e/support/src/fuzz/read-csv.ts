// Reads CSV by RFC 4180, written from the RFC and not from our writer.

/**
 * The rows of a file. An empty line is a row of one empty cell.
 * @throws Error if it is not by the RFC: a quote that never ends, text after a quoted cell, or a last row without its line end
 */
export function readCsv(file: string): string[][] {
  const rows: string[][] = [];
  let at = 0;
  while (at < file.length) {
    const row: string[] = [];
    for (let isInRow = true; isInRow; ) {
      const cell = readCell(file, at);
      row.push(cell.text);
      at = cell.end;
      if (file.startsWith('\r\n', at)) {
        at += 2;
        isInRow = false;
      } else if (file[at] === ',') {
        at += 1;
      } else {
        throw new Error(at < file.length ? `Text follows the quote at ${at}.` : 'The last row never ends.');
      }
    }
    rows.push(row);
  }
  return rows;
}

function readCell(file: string, start: number): { text: string; end: number } {
  let at = start;
  let text = '';
  if (file[at] !== '"') {
    while (at < file.length && file[at] !== ',' && !file.startsWith('\r\n', at)) {
      at += 1;
    }
    return { text: file.slice(start, at), end: at };
  }
  for (at += 1; file[at] !== '"' || file[at + 1] === '"'; at += file[at] === '"' ? 2 : 1) {
    if (at >= file.length) {
      throw new Error('The quote never ends.');
    }
    text += file[at];
  }
  return { text, end: at + 1 };
}

/** Rows by the names in the first one. */
export function readCsvRecords(file: string): Record<string, string>[] {
  const [names = [], ...rows] = readCsv(file);
  return rows.map((row) => {
    if (row.length !== names.length) {
      throw new Error(`A row has ${row.length} cells, and the header ${names.length}.`);
    }
    return Object.fromEntries(names.map((name, index) => [name, row[index] ?? '']));
  });
}
