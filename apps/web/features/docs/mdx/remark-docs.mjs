// Processes each documentation page at build time: headings get anchors and are exported as `headings`, the words below each as `words`,
// tables get names, and fences keep their titles.
// Plain JavaScript, because the bundler imports it in whatever Node it runs on, which may be too old for TypeScript.

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
  for (const child of node.children ?? []) {
    walk(child, visit);
  }
}

const PHRASING = new Set(['paragraph', 'heading', 'tableCell', 'emphasis', 'strong', 'delete', 'link']);

/** The text as a reader sees it: words of different blocks are separated. @param {Node} node @returns {string} */
function readableText(node) {
  if (node.children === undefined) {
    return node.type.startsWith('mdx') ? '' : (node.value ?? '');
  }
  return node.children.map(readableText).join(PHRASING.has(node.type) ? '' : ' ');
}

/** All words without duplicates, for the search. @param {string} text */
function distinctWords(text) {
  const words = text.toLowerCase().split(/\s+/);
  const bare = words.map((word) => word.replaceAll(/^[^\p{L}\p{N}/_-]+|[^\p{L}\p{N}]+$/gu, ''));
  return [...new Set(bare)].filter(Boolean).join(' ');
}

/** The words below each heading by its id; those before the first heading by ''. @param {Node} tree */
function wordsByHeading(tree) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  let id = '';
  for (const node of tree.children ?? []) {
    if (node.type === 'heading') {
      id = headingId(textOf(node));
    } else {
      texts.set(id, `${texts.get(id) ?? ''} ${readableText(node)}`);
    }
  }
  return Object.fromEntries([...texts].map(([key, text]) => [key, distinctWords(text)]));
}

/**
 * `export const name = JSON.parse(…)` as the JavaScript syntax tree that MDX needs for an export. @param {string} name @param {object}
 * value
 */
function exportOf(name, value) {
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
    arguments: [{ type: 'Literal', value: JSON.stringify(value) }],
  };
  const declaration = {
    type: 'VariableDeclaration',
    kind: 'const',
    declarations: [{ type: 'VariableDeclarator', id: { type: 'Identifier', name }, init: call }],
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
        // A table's name distinguishes it from others on the page: its heading and first column.
        const about = [headings.at(-1)?.text, textOf(node.children?.[0]?.children?.[0] ?? node)];
        node.data = { hProperties: { 'aria-label': about.filter(Boolean).join(': ') } };
      }
      if (node.type === 'code') {
        // After the language: run=… or check=… for the tests, and title="…" for readers.
        const title = /title="([^"]*)"/.exec(node.meta ?? '')?.[1];
        node.data = { hProperties: title === undefined ? {} : { 'data-title': title } };
      }
    });
    tree.children?.push(exportOf('headings', headings), exportOf('words', wordsByHeading(tree)));
  };
}
