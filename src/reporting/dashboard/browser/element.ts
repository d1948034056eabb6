// Makes elements. Texts become text nodes, and never HTML.
import { type Picture, pictureNode, type SvgNode } from '../charts/svg.ts';

type Child = Node | string | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An attribute that is false or undefined is left out; true is an empty one. */
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
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

export function pictureElement(picture: Picture): SVGElement {
  return svgElement(pictureNode(picture));
}

export function svgElement({ tag, attributes, children }: SvgNode): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children.map((child) => (typeof child === 'string' ? child : svgElement(child))));
  return made;
}

export function button(text: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', onClick);
  return made;
}

let lastId = 0;

/** An id of this page that nothing else has. */
export function freshId(): string {
  lastId += 1;
  return `i${lastId}`;
}
