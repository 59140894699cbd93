// What the build does to each page: headings get their anchors and are exported as `headings`, tables their names, fences keep their title.
// Plain JavaScript: the bundler imports it in whatever Node it finds, which may be too old for TypeScript.

/** @typedef {{ type: string, value?: string, depth?: number, meta?: string | null, data?: object, children?: Node[] }} Node */

/** The anchor of a heading. @param {string} text */
function headingId(text) {
  return text
    .toLowerCase()
    .replaceAll(/[’'"]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** @param {Node} node @returns {string} */
function textOf(node) {
  return node.value ?? (node.children ?? []).map(textOf).join('');
}

/** @param {Node} node @param {(node: Node) => void} visit */
function walk(node, visit) {
  visit(node);
  for (const child of node.children ?? []) walk(child, visit);
}

/** `export const headings = JSON.parse(…)`, as the tree of JavaScript that MDX demands of an export. @param {object[]} headings */
function exportOf(headings) {
  const call = {
    type: 'CallExpression',
    optional: false,
    callee: {
      type: 'MemberExpression',
      computed: false,
      optional: false,
      object: { type: 'Identifier', name: 'JSON' },
      property: { type: 'Identifier', name: 'parse' },
    },
    arguments: [{ type: 'Literal', value: JSON.stringify(headings) }],
  };
  const declaration = {
    type: 'VariableDeclaration',
    kind: 'const',
    declarations: [{ type: 'VariableDeclarator', id: { type: 'Identifier', name: 'headings' }, init: call }],
  };
  const body = [{ type: 'ExportNamedDeclaration', specifiers: [], attributes: [], source: null, declaration }];
  return { type: 'mdxjsEsm', value: '', data: { estree: { type: 'Program', sourceType: 'module', body } } };
}

// biome-ignore lint/style/noDefaultExport: the loader takes a plugin's default export
export default function remarkDocs() {
  return (/** @type {Node} */ tree) => {
    /** @type {{ depth: number | undefined, id: string, text: string }[]} */
    const headings = [];
    walk(tree, (node) => {
      if (node.type === 'heading') {
        const text = textOf(node);
        const id = headingId(text);
        headings.push({ depth: node.depth, id, text });
        node.data = { hProperties: { id } };
      }
      if (node.type === 'table') {
        // What tells a table from the page's others is what it stands below and how it begins.
        const about = [headings.at(-1)?.text, textOf(node.children?.[0]?.children?.[0] ?? node)];
        node.data = { hProperties: { 'aria-label': about.filter(Boolean).join(': ') } };
      }
      if (node.type === 'code') {
        // Behind the language: run=… or check=… for the tests, and title="…" for readers.
        const title = /title="([^"]*)"/.exec(node.meta ?? '')?.[1];
        node.data = { hProperties: title === undefined ? {} : { 'data-title': title } };
      }
    });
    tree.children?.push(exportOf(headings));
  };
}
