// Pictures, tables and texts as a tree, from which a browser makes elements and Node a text. Texts of the data stay
// texts in both, never HTML.

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML and SVG, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

export interface Tree {
  readonly tag: string;
  readonly attributes: Attributes;
  readonly children: readonly (Tree | string)[];
}

type Attributes = Readonly<Record<string, string | number>>;
export type Child = Tree | string | undefined;

/**
 * Fills the width of its place: shapes are stretched, texts and points keep their size. Colours are classes of the
 * style sheet.
 */
export interface Picture {
  readonly heightPx: number;
  /** Class of the style sheet, beside `plot`. */
  readonly kind?: string;
  readonly label: string;
  readonly nodes: readonly Tree[];
}

/**
 * Makes a node: `h('td.n', 'text')`, `h('a.name', { href }, 'text')` take a tag with classes, optional attributes, and
 * children.
 */
export function h(selector: string, ...parts: readonly (Attributes | Child)[]): Tree {
  const [tag = '', ...classes] = selector.split('.');
  const [first, ...others] = parts;
  const given = typeof first === 'object' && !isTree(first) ? first : undefined;
  const children = (given === undefined ? parts : others).filter((one) => one !== undefined);
  return {
    tag,
    attributes: { ...(classes.length > 0 && { class: classes.join(' ') }), ...given },
    children: children as readonly (Tree | string)[],
  };
}

function isTree(part: Attributes | Tree): part is Tree {
  return typeof part['children'] === 'object';
}

export function pictureTree({ heightPx, kind, label, nodes }: Picture): Tree {
  const look = kind === undefined ? 'svg.plot' : `svg.plot.${kind}`;
  return h(look, { height: heightPx, role: 'img', 'aria-label': label }, ...nodes);
}

/** Writes the tree for files, without scripts or references. */
export function textOf(child: Tree | string): string {
  if (typeof child === 'string') return escapeHtml(child);
  const attributes = Object.entries(child.attributes).map(
    ([name, value]) => ` ${name}="${escapeHtml(String(value))}"`,
  );
  const begin = `<${child.tag}${attributes.join('')}>`;
  return voidTags.has(child.tag) ? begin : `${begin}${child.children.map(textOf).join('')}</${child.tag}>`;
}

const voidTags = new Set(['hr', 'img']);
