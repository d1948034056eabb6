// Reads sql/metabase: each file is a comment of YAML that says how to show the question, then its SQL.
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { packageRoot } from '../../core/package.ts';
import type { Question, Tag } from './question.ts';

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

/** In the order of pages' places. @throws Error that names the file, when one is not of this form */
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
  checkTags(key, sql, found);
  return { key, ...said, width, height, tags: found, sql: sql.trim() };
}

function tagOf(name: string, value: string): Tag {
  if (value.startsWith('text ')) return { name, kind: 'text', default: value.slice(5) };
  const [schema, view, column = ''] = value.split('.');
  return { name, kind: 'field', view: `${schema}.${view}`, column };
}

/** A tag that the SQL lacks would be a filter without effect; one that is not declared would not run. */
function checkTags(key: string, sql: string, tags: readonly Tag[]): void {
  const used = [...new Set([...sql.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? ''))].sort();
  const declared = tags.map(({ name }) => name).sort();
  if (used.join() !== declared.join()) {
    throw new Error(
      `Expected sql/metabase/${key}.sql to use the tags that it declares (${declared.join(', ')}), got ${used.join(', ')}`,
    );
  }
}
