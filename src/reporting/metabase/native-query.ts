// SQL with its tags, as Metabase takes it and as it gives it back (since 0.57 in another form).
import { z } from 'zod';
import type { Question, Tag } from './question.ts';

/** Metabase's ids of what a query names. */
export interface QueryIds {
  readonly databaseId: number;
  /** Of a column of schema bi. */
  readonly fieldId: (view: string, column: string) => number;
}

/** What of a query is compared: the same whichever form it comes in. */
export interface QueryText {
  readonly sql: string;
  readonly tags: readonly string[];
}

const tagForm = z.looseObject({ type: z.string().nullish(), default: z.unknown().optional() });
const tagsForm = z.record(z.string(), tagForm).nullish();
const before57 = z.object({ native: z.object({ query: z.string(), 'template-tags': tagsForm }) });
const since57 = z.object({
  stages: z.tuple([z.object({ native: z.string(), 'template-tags': tagsForm })]),
});

/** A query of the form that every version takes. */
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

/** The filters of the question alone, as its own page in Metabase shows them. */
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

/** Where a filter of a dashboard goes in. */
export function tagTarget(tag: Tag): readonly unknown[] {
  return [tag.kind === 'text' ? 'variable' : 'dimension', ['template-tag', tag.name]];
}

/** Undefined: it is no SQL. */
export function queryText(datasetQuery: unknown): QueryText | undefined {
  const old = before57.safeParse(datasetQuery);
  if (old.success) return textOf(old.data.native.query, old.data.native['template-tags']);
  const [stage] = since57.safeParse(datasetQuery).data?.stages ?? [];
  return stage === undefined ? undefined : textOf(stage.native, stage['template-tags']);
}

function textOf(sql: string, tags: z.infer<typeof tagsForm>): QueryText {
  const names = Object.entries(tags ?? {}).map(([name, tag]) => `${name} ${tag.type} ${tag.default ?? ''}`);
  return { sql, tags: names.sort() };
}

const widgetOf = (tag: Tag) => (tag.name === 'period' ? 'date/all-options' : 'string/=');

const displayName = ({ name }: Tag) => name.charAt(0).toUpperCase() + name.slice(1);

/** The same at every apply. */
const tagId = (question: Question, tag: Tag) => `${question.key}-${tag.name}`;
