// A picture as a tree of nodes, which a browser makes elements of and Node a text. Texts of the data are texts in both.
import { escapeHtml } from '../../../core/text.ts';

export interface SvgNode {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly (SvgNode | string)[];
}

export interface Picture {
  readonly widthPx: number;
  readonly heightPx: number;
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

/** The whole picture: it scales to the width of its place, also on paper. */
export function pictureNode({ widthPx, heightPx, label, nodes }: Picture): SvgNode {
  const attributes = {
    viewBox: `0 0 ${widthPx} ${heightPx}`,
    width: '100%',
    role: 'img',
    'aria-label': label,
    'font-family': 'system-ui, sans-serif',
    'font-size': 12,
  };
  return node('svg', attributes, ...nodes);
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
