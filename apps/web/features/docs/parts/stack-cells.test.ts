import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { stackTable } from './stack-cells';

/** As Markdown makes them, with line breaks between the elements. */
function row(cell: 'th' | 'td', texts: readonly string[]): ReactNode {
  return createElement('tr', null, ...texts.flatMap((text) => ['\n', createElement(cell, null, text)]));
}

function stacked(heads: readonly string[], cells: readonly string[]): string {
  const children = [
    createElement('thead', { key: 'head' }, '\n', row('th', heads)),
    createElement('tbody', { key: 'body' }, '\n', row('td', cells)),
  ];
  return renderToStaticMarkup(createElement('table', null, stackTable(children)));
}

test('labels the cells below the title with their columns', () => {
  expect(stacked(['variable', 'default', 'sets'], ['A', '1', 'the collector'])).toContain(
    '<td stack="title">A</td><td stack="foot" label="default:">1</td><td stack="foot" label="sets:">the collector</td>',
  );
});

test('with one cell beside the title, nothing needs a label', () => {
  expect(stacked(['term', 'meaning'], ['agent', 'a process'])).toContain(
    '<td stack="title">agent</td><td stack="foot">a process</td>',
  );
});
