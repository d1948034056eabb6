// Comments say where a rule of the API comes from; what they point at must be there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/core/package-root.ts';
import { catalog } from '../../src/streams/catalog.ts';

const root = packageRoot();
const page = readFileSync(join(root, 'docs', 'api.md'), 'utf8');

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|sql)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Each `docs/api.md, "Heading"`; a mention without a heading comes as ''. */
function citationsIn(text: string): string[] {
  return [...text.matchAll(/docs\/api\.md(?:,\s+"([^"]+)")?/g)].map((match) => match[1] ?? '');
}

describe('docs/api.md', () => {
  it('has the heading that each comment cites', () => {
    const headings = new Set([...page.matchAll(/^#+ (.+)$/gm)].map((match) => match[1]));
    const files = ['src', 'test', 'sql', 'jobs']
      .flatMap(filesBelow)
      .filter((file) => file !== import.meta.filename);
    const cited = files.flatMap((file) =>
      citationsIn(readFileSync(file, 'utf8')).map((heading) => ({ file, heading })),
    );
    expect(cited.length).toBeGreaterThan(20);
    expect(cited.filter(({ heading }) => !headings.has(heading))).toEqual([]);
  });

  it('has a row for the route of each stream, with its list key and whether it is read for clients', () => {
    for (const stream of catalog.filter(
      ({ source }) => source.kind === 'walk' || source.kind === 'questions',
    )) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${stream.route}\` |`)) ?? '';
      const cells = row.split('|').map((cell) => cell.trim());
      const list =
        stream.list.kind === 'key'
          ? `\`${stream.list.key}\``
          : stream.list.kind === 'none'
            ? 'single'
            : 'not documented';
      expect(
        cells.some((cell) => cell.startsWith(list)),
        `${stream.route}: ${row}`,
      ).toBe(true);
      expect(cells.includes('yes'), `${stream.route}: ${row}`).toBe(stream.perClient);
    }
  });

  it('names files that exist', () => {
    const named = [...page.matchAll(/`((?:src|test|sql)\/[\w./-]+)`/g)].map((match) => match[1] ?? '');
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
