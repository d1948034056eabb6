// Makes elements. Texts become text nodes, never HTML.
import type { Tree } from '../charts/tree.ts';

type Child = Node | Tree | string | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Leaves out an attribute that is false or undefined; true makes an empty one. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(key, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== undefined).map(nodeOf));
  return made;
}

function nodeOf(child: Node | Tree | string): Node | string {
  return typeof child === 'string' || child instanceof Node ? child : treeElement(child);
}

/** @param isDrawn true inside a picture, whose elements are not HTML */
export function treeElement({ tag, attributes, children }: Tree, isDrawn = tag === 'svg'): Element {
  const space = isDrawn ? 'http://www.w3.org/2000/svg' : 'http://www.w3.org/1999/xhtml';
  const made = document.createElementNS(space, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  const inside = (child: Tree | string) =>
    typeof child === 'string' ? child : treeElement(child, isDrawn || child.tag === 'svg');
  made.append(...children.map(inside));
  return made;
}

export function button(text: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', onClick);
  return made;
}

let lastId = 0;

export function freshId(): string {
  lastId += 1;
  return `i${lastId}`;
}
