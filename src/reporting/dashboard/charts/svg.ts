// A picture as a tree of nodes, which a browser makes elements of and Node a text. Texts of the data are texts in both.
import { escapeHtml } from '../../../core/text.ts';

export interface SvgNode {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly (SvgNode | string)[];
}

/** As wide as its place: shapes are stretched, texts and points keep their size. Colours are classes of the style sheet. */
export interface Picture {
  readonly heightPx: number;
  /** Of the style sheet, beside `plot`. */
  readonly kind?: string;
  /** What screen readers say of it. */
  readonly label: string;
  readonly nodes: readonly SvgNode[];
}

export function node(
  tag: string,
  attributes: SvgNode['attributes'] = {},
  ...children: readonly (SvgNode | string)[]
): SvgNode {
  return { tag, attributes, children };
}

export function pictureNode({ heightPx, kind, label, nodes }: Picture): SvgNode {
  const attributes = { class: ['plot', ...(kind === undefined ? [] : [kind])].join(' '), height: heightPx };
  return node('svg', { ...attributes, role: 'img', 'aria-label': label }, ...nodes);
}

/** For files: holds no script, and refers to nothing. */
export function svgText(picture: Picture): string {
  const { tag, attributes, children } = pictureNode(picture);
  return textOf({ tag, attributes: { xmlns: 'http://www.w3.org/2000/svg', ...attributes }, children });
}

function textOf(child: SvgNode | string): string {
  if (typeof child === 'string') return escapeHtml(child);
  const attributes = Object.entries(child.attributes).map(
    ([name, value]) => ` ${name}="${escapeHtml(String(value))}"`,
  );
  return `<${child.tag}${attributes.join('')}>${child.children.map(textOf).join('')}</${child.tag}>`;
}
