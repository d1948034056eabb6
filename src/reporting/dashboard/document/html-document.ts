// The HTML that holds the app: empty, for the script to fill. Data stands in it only as JSON.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { WarehouseError } from '../../../core/errors.ts';
import { packageRoot } from '../../../core/files.ts';
import type { Language } from '../charts/chart.ts';
import { fill } from '../charts/format.ts';
import { escapeHtml } from '../charts/tree.ts';
import { pageLabels } from '../page/page-words.ts';

/** The browser part as the build made it: in dist/ of the package, also when run from the sources. */
export interface Assets {
  readonly script: string;
  readonly style: string;
}

/** @throws WarehouseError if there is no build, or one from older sources */
export function readAssets(root = packageRoot()): Assets {
  const [script, style] = ['app.js', 'app.css'].map((name) => join(root, 'dist', 'dashboard', name));
  if (script === undefined || style === undefined || !existsSync(script) || !existsSync(style)) {
    throw new WarehouseError('The browser part of the dashboard is not built. Run: npm run build');
  }
  if (isOlder(script, join(root, 'src', 'reporting', 'dashboard'))) {
    throw new WarehouseError(
      'The browser part of the dashboard is older than its sources. Run: npm run build',
    );
  }
  return { script: readFileSync(script, 'utf8'), style: readFileSync(style, 'utf8') };
}

/** Returns false for a package, which has no sources beside the file. */
function isOlder(file: string, sources: string): boolean {
  if (!existsSync(sources)) return false;
  const { mtimeMs } = statSync(file);
  return readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /browser|charts|page/.test(entry.parentPath.slice(sources.length)))
    .some((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs > mtimeMs);
}

/** Writes `<`, `>` and `&` as JSON escapes, so that an HTML parser finds no tag in the data. */
export function dataScript(value: unknown, attributes: Readonly<Record<string, string>>): string {
  const json = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escaped);
  const given = Object.entries(attributes).map(([name, text]) => ` ${name}="${escapeHtml(text)}"`);
  return `<script type="application/json"${given.join('')}>${json}</script>`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

interface DocumentParts {
  readonly language: Language;
  readonly title: string;
  /** Inside head, before the script: style and policy. */
  readonly head: string;
  /** After the element that the app fills. */
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
<title>${escapeHtml(title)}</title>
</head>
<body>
<div id="app"><p class="notice" role="status">${escapeHtml(fill('Reading the figures…', language))}</p></div>
<noscript><p>${escapeHtml(fill(pageLabels.portfolio, language))}: JavaScript</p></noscript>
${scripts}
</body>
</html>
`;
}

/**
 * Puts everything into one file that asks no server for anything and runs no other script.
 * @returns the parts before and after its data
 */
export function selfContained(
  { script, style }: Assets,
  parts: { readonly language: Language; readonly title: string },
): readonly [before: string, after: string] {
  // In a script's string these would end the script, or begin a comment that hides its end.
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
