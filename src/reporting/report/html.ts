// HTML in which every text is escaped, except what was made as HTML.
import { escapeHtml } from '../../core/text.ts';

/** A piece of HTML that is safe to show. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

/** Values are texts and are escaped, but for pieces made by this function. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, place) => text + shown(parts[place])).join(''));
}

/** Takes a text as HTML: styles of our own, pictures that were drawn here. */
export function trusted(text: string): Html {
  return new Html(text);
}

function shown(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(shown).join('');
  return escapeHtml(String(part));
}
