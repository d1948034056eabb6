// The texts that are installed: functions, sql/code/<schema>/<function>.sql, and views,
// sql/<schema>/<view>.sql. Values from TypeScript stand in them by name: `:currencies`.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { currencies } from '../../core/currencies.ts';
import { packageRoot } from '../../core/files.ts';
import { type CatalogueView, installText, readCatalogue } from './catalogue.ts';

export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

export interface CodeFile {
  readonly name: string;
  readonly text: string;
  readonly hash: string;
  /** The objects that it makes, as `presentObjects` names them. */
  readonly makes: readonly string[];
}

/** A file that makes one function, which has its name. */
export interface FunctionFile extends CodeFile {
  readonly schema: string;
  readonly function: string;
}

export interface CodeFiles {
  /** A function comes after those that its text names. */
  readonly functions: readonly FunctionFile[];
  /** Views that others are built on, sql/bi/_*.sql, come first; then those of the catalogue. */
  readonly views: readonly CodeFile[];
}

let ofPackage: Promise<CodeFiles> | undefined;

/**
 * @param folder default: sql of the package, which a process reads only once, so that its texts stay the same
 */
export async function readCodeFiles(folder?: string): Promise<CodeFiles> {
  if (folder !== undefined) return await readFolders(folder);
  ofPackage ??= readFolders(join(packageRoot(), 'sql'));
  return await ofPackage;
}

async function readFolders(folder: string): Promise<CodeFiles> {
  const schemas = (await readdir(join(folder, 'code'))).sort();
  const found = await Promise.all(schemas.map((schema) => readFolder(folder, `code/${schema}`)));
  return {
    functions: inOrder(
      found.flat().map((file) => {
        const of = functionIn(file.name);
        return { ...file, ...of, makes: [`${of.schema}.${of.function}()`] };
      }),
    ),
    views: [
      ...(await readFolder(folder, 'bi')).filter(({ name }) => name.startsWith('bi/_')),
      ...readCatalogue(folder).map(viewFile),
    ],
  };
}

function viewFile(view: CatalogueView): CodeFile {
  const text = installText(view);
  const name = `${view.schema}/${view.name}.sql`;
  return { name, text, hash: textHash(text), makes: [`${view.schema}.${view.name}`] };
}

async function readFolder(folder: string, below: string): Promise<CodeFile[]> {
  const names = (await readdir(join(folder, below))).filter((name) => name.endsWith('.sql')).sort();
  return await Promise.all(
    names.map(async (file) => {
      const name = `${below}/${file}`;
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll(':currencies', currencies);
      const views = [...text.matchAll(/^create or replace view (\w+\.\w+)/gm)].map(([, view = '']) => view);
      return { name, text, hash: textHash(text), makes: views };
    }),
  );
}

/**
 * Returns the statements of sql/schema.sql that make a schema (`bi`), or a table (`typed.rank_point`) with
 * its keys, indexes and comments.
 */
export async function statementsOf(object: string): Promise<string[]> {
  const makes = object.includes('.')
    ? `(create table|alter table|create (unique )?index|comment on (table|column)) [^(']*\\b`
    : '(create|comment on) schema ';
  const pattern = new RegExp(`^${makes}${object.replace('.', '\\.')}\\b`, 'i');
  const statements = (await readSchemaFile()).split(';\n').map((text) => text.replace(/^(\s|--.*\n)*/, ''));
  return statements.filter((text) => pattern.test(text));
}

/** Lists the tables of sync and snapshot, whose rows cannot be made again; no partitions. */
export async function tablesOfData(): Promise<string[]> {
  const text = await readSchemaFile();
  return [...text.matchAll(/^create table ((?:sync|snapshot)\.\w+)/gm)].map(([, name = '']) => name);
}

const readSchemaFile = () => readFile(join(packageRoot(), 'sql', 'schema.sql'), 'utf8');

/** Names the function that a file makes; undefined: the file makes none. */
export function functionOf(name: string): Pick<FunctionFile, 'schema' | 'function'> | undefined {
  return name.startsWith('code/') ? functionIn(name) : undefined;
}

function functionIn(name: string): Pick<FunctionFile, 'schema' | 'function'> {
  return { schema: name.split('/')[1] ?? '', function: basename(name, '.sql') };
}

/** Sorts by use: bodies with `return` or `begin atomic` are parsed when the function is made. */
function inOrder(files: readonly FunctionFile[]): FunctionFile[] {
  const seen = new Set<FunctionFile>();
  const ordered: FunctionFile[] = [];
  const visit = (file: FunctionFile) => {
    if (seen.has(file)) return;
    seen.add(file);
    const code = file.text.replaceAll(/--.*$/gm, '');
    const named = new Set(code.match(/\b\w+\.\w+\b/g));
    for (const other of files) if (named.has(`${other.schema}.${other.function}`)) visit(other);
    ordered.push(file);
  };
  files.forEach(visit);
  return ordered;
}
