// Comments and pages point only at what is there: headings, files, the functions named beside them, links.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';

const root = packageRoot();
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const page = textOf('docs/internals/api.md');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...['docs', 'docs/internals'].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((file) => (file.endsWith('.md') ? [`${folder}/${file}`] : [])),
  ),
];

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|sql)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Each `api.md, "Heading"`; a mention without a heading comes as ''. */
function citationsIn(text: string): string[] {
  return [...text.matchAll(/\bapi\.md(?:,\s+"([^"]+)")?/g)].map((match) => match[1] ?? '');
}

it('docs/internals/api.md has the heading that each comment cites', () => {
  const headings = new Set([...page.matchAll(/^#+ (.+)$/gm)].map((match) => match[1]));
  const files = ['src', 'test', 'sql', 'jobs'].flatMap(filesBelow);
  const others = files.filter((file) => file !== import.meta.filename);
  const cited = others.flatMap((file) =>
    citationsIn(readFileSync(file, 'utf8')).map((heading) => ({ file, heading })),
  );
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter(({ heading }) => !headings.has(heading))).toEqual([]);
});

/** Files and folders of the repository in backticks, `*` for some; those with a placeholder, `<view>` or `_something`, are none. */
const pathsIn = (text: string) =>
  [...text.matchAll(/`((?:src|test|sql|jobs|docs|examples)\/[\w./*-]*)`/g)]
    .map((match) => match[1] ?? '')
    .filter((path) => !path.includes('_something'));

/** Whether it is there; of a name with `*`, whether any file has such a name. */
function isThere(path: string): boolean {
  if (!path.includes('*')) return existsSync(join(root, path));
  const name = new RegExp(`^${basename(path).replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  const folder = join(root, dirname(path));
  return existsSync(folder) && readdirSync(folder).some((file) => name.test(file));
}

/** GitHub's anchor of a heading. */
function anchorOf(heading: string) {
  const text = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '');
  return text.replaceAll(' ', '-');
}

const anchorsOf = (file: string) =>
  [...textOf(file).matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1] ?? ''));

describe.each(pages)('%s', (file) => {
  const text = textOf(file);

  it('names files that exist', () => {
    expect(pathsIn(text).filter((path) => !isThere(path))).toEqual([]);
  });

  it('links to pages and headings that exist', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : join(dirname(file), path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

it('pages, comments and CI name scripts that package.json has', () => {
  const { scripts } = JSON.parse(textOf('package.json'));
  const files = [...pages, '.ci/run', '.github/workflows/ci.yml', 'Dockerfile', 'docker-compose.yml'];
  const sources = ['src', 'test'].flatMap(filesBelow).map((file) => readFileSync(file, 'utf8'));
  const texts = [...files.map(textOf), ...sources];
  const named = texts.flatMap((text) => [...text.matchAll(/npm run (?:-s )?([a-z][\w:-]*\w)/g)]);
  expect(named.length).toBeGreaterThan(20);
  expect(named.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
});

it('scripts of package.json name files that exist', () => {
  const scripts = Object.values(JSON.parse(textOf('package.json')).scripts).join(' ');
  const paths = scripts.match(/\b(?:src|test)\/\S+/g) ?? [];
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});

it('docs/architecture.md names functions beside the file that has them', () => {
  // `file` `name`, `name`: what follows a file, up to the next one or the end of the sentence, is in it.
  const beside = /`((?:src|jobs)\/[\w./-]+\.ts)`((?:,? `\w+`)+)/g;
  const named = [...textOf('docs/architecture.md').matchAll(beside)].flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map((match) => ({ file, name: match[1] ?? '' })),
  );
  expect(named.length).toBeGreaterThan(15);
  const missing = named.filter(({ file, name }) => !new RegExp(`\\b${name}\\b`).test(textOf(file)));
  expect(missing).toEqual([]);
});
