import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';

const src = join(packageRoot(), 'src');

/** Folders that each folder may import from; its own folder always. main.ts takes the command line only. */
const allowed: Readonly<Record<string, string>> = {
  core: '',
  config: 'core',
  streams: 'core config',
  api: 'core config streams',
  db: 'core config',
  mail: 'core config',
  store: 'core config streams db',
  queue: 'core db store',
  mapping: 'core config streams db',
  validation: 'core streams db store',
  publish: 'core config db store mapping validation',
  install: 'core db queue mapping publish',
  export: 'core config db publish',
  alerts: 'core config db mail mapping',
  writes: 'core config streams api db store',
  status: 'core config streams db store queue mapping alerts writes',
  forget: 'core streams db mapping publish',
  backup: 'core db publish install',
  reporting: 'core config db mail status',
  mcp: 'core config streams db export status reporting',
  sync: 'core config streams api db store mapping validation publish install status',
  jobs: 'core config streams db mail store queue install writes status backup reporting sync',
  sandbox: 'core',
  cli: 'core config streams api db mail store queue mapping validation publish install export alerts writes status forget backup reporting mcp sync jobs sandbox',
  '': 'cli',
  // The jobs at the top level, which take the type of a job and nothing else.
  'top jobs': 'jobs',
};

/** The folders of a layer, each of which may import from those before it. '.': the files beside them. */
const folders: Readonly<Record<string, readonly string[]>> = {
  api: ['gate', '.'],
  sync: ['walk', 'plan', 'run'],
  db: ['.', 'embedded', 'code'],
  store: ['.', 'slices', 'pages', 'fields', 'scopes', 'budget'],
  mapping: ['logical', 'matching', '.'],
  publish: ['tables', '.', 'views'],
  alerts: ['store', 'judging', 'rules', '.'],
  writes: ['store', 'logs', '.'],
  jobs: ['.', 'schedule', 'kinds', 'worker'],
  reporting: ['reader', 'dashboard', 'report', 'metabase'],
  'reporting/dashboard': ['charts', '.', 'page', 'browser', 'read', 'document', 'serve'],
  mcp: ['form', 'read', '.', 'serve'],
  cli: ['print', '.', 'commands'],
};

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function layerOf(file: string): string {
  const path = relative(src, file);
  if (path.startsWith('..')) return 'top jobs';
  return path.includes('/') ? (path.split('/')[0] ?? '') : '';
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.m?[jt]s)'/g)].map((match) =>
    resolve(dirname(file), match[1] ?? ''),
  );
}

function imports() {
  return [...filesBelow(src), ...filesBelow(join(packageRoot(), 'jobs'))].flatMap((file) =>
    importsOf(file).map((target) => ({ file, from: layerOf(file), to: layerOf(target) })),
  );
}

describe('the layers', () => {
  it('are all listed here, so that a new folder gets a place', () => {
    const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const named = ['', 'top jobs', ...folders.map((folder) => folder.name)];
    expect(named.sort()).toEqual(Object.keys(allowed).sort());
  });

  it('import to the left only; api and the database meet in sync and writes alone', () => {
    const found = imports();
    expect(found.length).toBeGreaterThan(100);
    const wrong = found.filter(({ from, to }) => from !== to && !allowed[from]?.split(' ').includes(to));
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(folders))('%s: folders import from those before them', (layer, order) => {
    const folder = join(src, layer);
    const found = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(found.map((entry) => entry.name).sort()).toEqual(order.filter((name) => name !== '.').sort());
    const placeOf = (file: string) => order.indexOf(relative(folder, dirname(file)).split('/')[0] || '.');
    const wrong = filesBelow(folder).flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith(`${folder}/`) && placeOf(target) > placeOf(file))
        .map((target) => `${relative(src, file)} → ${relative(src, target)}`),
    );
    expect(wrong).toEqual([]);
  });

  it('import the packages that package.json names as dependencies, and no others', () => {
    const pattern = /^(?:(?:import (?!type)|} ).*from |.*\bimport\()'(?!node:)((?:@[\w-]+\/)?[\w-]+)/gm;
    const named = filesBelow(src).flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)]);
    // The text of a job file imports the package itself.
    const names = new Set(named.map(([, name]) => name).filter((name) => name !== 'airank-warehouse'));
    const { dependencies } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
    expect([...names].sort()).toEqual(Object.keys(dependencies).sort());
  });

  it('keep SQL statements in the files that are for the database', () => {
    const forDatabase =
      /^(db|store|mapping|validation|publish|install|queue|status|export|forget|backup|alerts\/store|writes\/store|reporting\/reader|mcp\/read)\//;
    const outside = filesBelow(src).filter((file) => !forDatabase.test(relative(src, file)));
    const withSql = outside.filter((file) =>
      /import (?!type )[^;]*from '(?:kysely|pg)'|\.query\(/.test(readFileSync(file, 'utf8')),
    );
    expect(withSql.map((file) => relative(src, file))).toEqual([]);
  });

  it('end the process in main.ts only', () => {
    const ending = filesBelow(src).filter((file) => /process\.exit\(/.test(readFileSync(file, 'utf8')));
    expect(ending.map((file) => relative(src, file))).toEqual(['main.ts']);
  });
});
