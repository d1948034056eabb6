// The HTML that holds the app: empty, and filled by the script. No text of the data stands in it but as JSON.
import { createHash } from 'node:crypto';
import type { Language } from '../charts/chart.ts';
import { pageLabels, word } from '../page/page-words.ts';
import type { Assets } from './assets.ts';
import { attributeText } from './data-script.ts';

export interface DocumentParts {
  readonly language: Language;
  readonly title: string;
  /** Before the script, inside head: style and policy. */
  readonly head: string;
  /** After the place that the app fills. */
  readonly scripts: string;
}

export function htmlDocument({ language, title, head, scripts }: DocumentParts): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${head}
<title>${attributeText(title)}</title>
</head>
<body>
<div id="app"><p class="notice" role="status">${attributeText(word('loading', language))}</p></div>
<noscript><p>${attributeText(pageLabels.portfolio[language])}: JavaScript</p></noscript>
${scripts}
</body>
</html>
`;
}

/**
 * Everything in one file, which asks no server for anything and runs no other script than its own.
 * @returns what comes before its data and what comes after
 */
export function selfContained(
  { script, style }: Assets,
  parts: { readonly language: Language; readonly title: string },
): readonly [before: string, after: string] {
  // In a string of the script these would end it, or begin a comment that hides its end.
  const inline = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(inline)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const head = `<meta http-equiv="content-security-policy" content="${policy}">\n<style>${style}</style>`;
  const between = '<!-- data -->';
  const [before = '', after = ''] = htmlDocument({ ...parts, head, scripts: between }).split(between);
  return [before, `<script>${inline}</script>${after}`];
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
