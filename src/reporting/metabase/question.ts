// A question that Metabase asks the warehouse: one file in sql/metabase, written as SQL with tags.

import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { packageRoot } from '../../core/files.ts';

export interface QueryIds {
  readonly databaseId: number;
  readonly fieldId: (view: string, column: string) => number;
}

/** Builds a query in the form that every version accepts. */
export function nativeQuery(question: Question, { databaseId, fieldId }: QueryIds): object {
  const tags = question.tags.map((tag) => [tag.name, templateTag(question, tag, fieldId)] as const);
  return {
    database: databaseId,
    type: 'native',
    native: { query: question.sql, 'template-tags': Object.fromEntries(tags) },
  };
}

function templateTag(question: Question, tag: Tag, fieldId: QueryIds['fieldId']): object {
  const common = {
    id: tagId(question, tag),
    name: tag.name,
    'display-name': displayName(tag),
  };
  if (tag.kind === 'text') return { ...common, type: 'text', required: true, default: tag.default };
  return {
    ...common,
    type: 'dimension',
    dimension: ['field', fieldId(tag.view, tag.column), null],
    'widget-type': widgetOf(tag),
    required: false,
  };
}

/** Returns the question's filters, as its own page in Metabase shows them. */
export function questionParameters(question: Question): readonly object[] {
  return question.tags.map((tag) => ({
    id: tagId(question, tag),
    type: tag.kind === 'text' ? 'category' : widgetOf(tag),
    target: tagTarget(tag),
    name: displayName(tag),
    slug: tag.name,
    ...(tag.kind === 'text' ? { default: tag.default } : {}),
  }));
}

export function tagTarget(tag: Tag): readonly unknown[] {
  return [tag.kind === 'text' ? 'variable' : 'dimension', ['template-tag', tag.name]];
}

const widgetOf = (tag: Tag) => (tag.name === 'period' ? 'date/all-options' : 'string/=');

const displayName = ({ name }: Tag) => name.charAt(0).toUpperCase() + name.slice(1);

/** Makes an id that is the same at every run. */
const tagId = (question: Question, tag: Tag) => `${question.key}-${tag.name}`;

/**
 * Form of a file: a comment of YAML that says how to show the question, then its SQL, with `{{tag}}` where a filter
 * goes.
 */
const header = z.strictObject({
  name: z.string().min(1).max(254),
  about: z.string().min(1),
  page: z.string(),
  place: z.int().min(1),
  size: z.string().regex(/^([1-9]|1\d|2[0-4])x[1-9]\d?$/),
  display: z.enum(['table', 'line', 'bar', 'row', 'scatter', 'scalar']),
  tags: z.record(z.string(), z.string().regex(/^(bi(?:_history)?\.[a-z0-9_]+\.[a-z0-9_]+|text .+)$/)),
  settings: z.record(z.string(), z.unknown()),
});

/** Returns them in their order on pages. @throws Error that names the file, if one does not have this form */
export async function readMetabaseQuestions(
  folder = join(packageRoot(), 'sql', 'metabase'),
): Promise<readonly Question[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const questions = await Promise.all(
    files.map(async (file) =>
      parseQuestion(basename(file, '.sql'), await readFile(join(folder, file), 'utf8')),
    ),
  );
  return questions.sort((one, other) => one.place - other.place);
}

/** @param key the file's name without its ending */
export function parseQuestion(key: string, text: string): Question {
  const [, comment, sql] = /^\/\*\n(.*?)\n\*\/\n(.*)$/s.exec(text) ?? [];
  if (comment === undefined || sql === undefined) {
    throw new Error(`Expected sql/metabase/${key}.sql to begin with a comment of YAML, then SQL`);
  }
  const read = header.safeParse(parse(comment));
  if (!read.success) {
    const { path, message } = read.error.issues[0] ?? { path: [], message: 'a header' };
    throw new Error(`Expected ${path.join('.')} of sql/metabase/${key}.sql to be right, got: ${message}`);
  }
  const { size, tags, ...said } = read.data;
  const [width = 0, height = 0] = size.split('x').map(Number);
  const found = Object.entries(tags).map(([name, value]) => tagOf(name, value));
  const whole = writeOut(sql.trim());
  checkTags(key, whole, found);
  return { key, ...said, width, height, tags: found, sql: whole };
}

/** Expands the conditions that many questions share; they include client_id, by which views find a client's rows. */
function writeOut(sql: string): string {
  return sql.replace(
    /^( *)(.*)\{\{client\}\}/gm,
    (_, indent, before) =>
      `${indent}${before}client_id = any (array(select client_id from bi.clients where {{client}}))\n` +
      `${indent}  and client_key = any (array(select client_key from bi.clients where {{client}}))`,
  );
}

function tagOf(name: string, value: string): Tag {
  if (value.startsWith('text ')) return { name, kind: 'text', default: value.slice(5) };
  const [schema, view, column = ''] = value.split('.');
  return { name, kind: 'field', view: `${schema}.${view}`, column };
}

/** Refuses a tag that the SQL lacks, a filter without effect, and one that is not declared, which would not run. */
function checkTags(key: string, sql: string, tags: readonly Tag[]): void {
  const used = [...new Set([...sql.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? ''))].sort();
  const declared = tags.map(({ name }) => name).sort();
  if (used.join() !== declared.join()) {
    throw new Error(
      `Expected sql/metabase/${key}.sql to use the tags that it declares (${declared.join(', ')}), got ${used.join(', ')}`,
    );
  }
}

/** A place `{{name}}` in the SQL that a filter of the dashboard fills. */
export type Tag =
  /** Metabase inserts a condition on this column of `bi`. */
  | { readonly name: string; readonly kind: 'field'; readonly view: string; readonly column: string }
  | { readonly name: string; readonly kind: 'text'; readonly default: string };

export interface Question {
  /** The file's name, which identifies the question. */
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly page: string;
  /** Position on the page, from 1. */
  readonly place: number;
  /** Columns of the dashboard's grid, out of 24. */
  readonly width: number;
  readonly height: number;
  /** Metabase's name for the kind of chart. */
  readonly display: string;
  readonly tags: readonly Tag[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly sql: string;
}
