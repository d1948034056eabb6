// Brings the pages into a Metabase step by step. Each step looks first, so a second call changes nothing, and a call
// after a stop goes on.
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { named } from '../../core/text.ts';
import { catalogue } from '../../db/code/catalogue.ts';
import { biSchemas } from '../../db/schemas.ts';
import { collectionStep, findMade } from './collection-step.ts';
import { dashboards } from './dashboards.ts';
import { dashboardsStep } from './dashboards-step.ts';
import { databaseStep, type WantedDatabase } from './database-step.ts';
import {
  type Change,
  createMetabaseHttp,
  type field,
  type MetabaseAddress,
  MetabaseError,
  type MetabaseHttp,
  metadata,
  nothing,
  properties,
  type StepContext,
  user,
} from './metabase-http.ts';
import { type QueryIds, type Question, readMetabaseQuestions } from './question.ts';
import { questionsStep } from './questions-step.ts';

type Field = z.infer<typeof field>;

/** View, as `bi.clients` → column → Metabase's field. */
type KnownViews = ReadonlyMap<string, ReadonlyMap<string, Field>>;

interface SchemaWait {
  /** Views that must be known, each with the columns of its filters. */
  readonly views: ReadonlyMap<string, readonly string[]>;
  readonly waitMs: number;
  readonly pauseMs: number;
  readonly signal: AbortSignal;
}

/**
 * Waits until Metabase knows the views of `bi` and their columns, which it reads in its own time.
 * @throws MetabaseError when it takes too long
 */
async function schemaStep(context: StepContext, databaseId: number, wait: SchemaWait): Promise<KnownViews> {
  let known = await readKnown(context, databaseId);
  if (lacking(known, wait.views).length === 0) {
    context.note({ kind: 'schema', name: `${known.size} views of bi`, what: 'same' });
    return known;
  }
  const missing = lacking(known, wait.views);
  context.note({
    kind: 'schema',
    name: `${new Set(missing.map((one) => one.split('.', 2).join('.'))).size} views of bi`,
    what: 'change',
    why: 'Metabase reads them',
  });
  await context.http.post(`database/${databaseId}/sync_schema`, {}, nothing);
  const until = Date.now() + wait.waitMs;
  while (lacking(known, wait.views).length > 0) {
    if (Date.now() >= until) throw tooLate(lacking(known, wait.views), wait.waitMs);
    await delay(wait.pauseMs, undefined, { signal: wait.signal });
    known = await readKnown(context, databaseId);
  }
  return known;
}

/** Says what is still missing: Metabase learns view by view, and column by column. */
function lacking(known: KnownViews, views: SchemaWait['views']): string[] {
  return [...views].flatMap(([view, columns]) => {
    const found = known.get(view);
    if (found === undefined || found.size === 0) return [view];
    return columns.filter((column) => !found.has(column)).map((column) => `${view}.${column}`);
  });
}

async function readKnown({ http }: StepContext, databaseId: number): Promise<KnownViews> {
  const { tables } = await http.get(`database/${databaseId}/metadata?include_hidden=true`, metadata);
  return new Map(
    tables
      .filter(({ schema }) => biSchemas.some((name) => name === schema))
      .map(({ schema, name, fields }) => [
        `${schema}.${name}`,
        new Map((fields ?? []).map((one) => [one.name, one])),
      ]),
  );
}

function tooLate(missing: readonly string[], waitMs: number): MetabaseError {
  return new MetabaseError(
    `Metabase did not read ${named(missing, 3)} within ${Math.round(waitMs / 1000)} seconds. ` +
      'Run apply again, perhaps with a longer --wait-seconds. If that does not help, check that Metabase reaches ' +
      'the warehouse, and that it is up to date (airank migrate)',
  );
}

interface WantedType {
  /** Null for none, where Metabase guesses one from a name or from values. */
  readonly semantic_type: string | null;
  readonly fk_target_field_id?: number;
}

const byName: readonly (readonly [RegExp, string])[] = [
  [/_rate$/, 'type/Percentage'],
  [/^score$|_score$/, 'type/Score'],
  [/_count$|^cohort_size$/, 'type/Quantity'],
  [/(^|_)country$/, 'type/Country'],
  [/(^|_)city$/, 'type/City'],
  [/^page_url$|^product_url$|^covered_url$/, 'type/URL'],
  [
    /^(client_name|account|method|status|.*_status|.*_type|engine|currency_code|channel|dimension|polarity|client_sector|language)$/,
    'type/Category',
  ],
];

/** Types that say no more than the column's own type. */
const harmless = [null, undefined, 'type/Category'];

/** Returns the fields that need a type, by id. Metabase goes on guessing, even after a first run. */
function fieldTypes(known: KnownViews): ReadonlyMap<number, WantedType> {
  const target = known.get('bi.clients')?.get('client_key');
  const wanted = new Map<number, WantedType>();
  for (const [view, columns] of known) {
    for (const field of columns.values()) {
      const type = typeOf(view, field, target);
      if (!isSaid(field, type)) wanted.set(field.id, type);
    }
  }
  return wanted;
}

function typeOf(view: string, { name }: Field, target: Field | undefined): WantedType {
  if (name === 'client_key') {
    if (view === 'bi.clients') return { semantic_type: 'type/PK' };
    return target === undefined
      ? { semantic_type: null }
      : { semantic_type: 'type/FK', fk_target_field_id: target.id };
  }
  // Metabase shows a row of the table by this name.
  if (view === 'bi.clients' && name === 'client_name') return { semantic_type: 'type/Name' };
  return { semantic_type: byName.find(([pattern]) => pattern.test(name))?.[1] ?? null };
}

function isSaid({ semantic_type: now, fk_target_field_id: target }: Field, wanted: WantedType): boolean {
  if (wanted.semantic_type === null) return harmless.includes(now);
  return now === wanted.semantic_type && (wanted.fk_target_field_id === undefined || target != null);
}

async function fieldsStep(context: StepContext, known: KnownViews): Promise<void> {
  const columns = [...known.values()].reduce((sum, { size }) => sum + size, 0);
  const wanted = fieldTypes(known);
  if (wanted.size === 0) {
    context.note({ kind: 'fields', name: `${columns} columns`, what: 'same' });
    return;
  }
  const why = 'types, and client_key as a key into bi.clients';
  context.note({ kind: 'fields', name: `${wanted.size} of ${columns} columns`, what: 'change', why });
  for (const [id, type] of wanted) await context.http.put(`field/${id}`, type, nothing);
}

/** First version with API keys, tabs and a trash. */
const oldestMinor = 50;

/** @throws MetabaseError before the key is sent to anything that is not a Metabase */
async function checkMetabase(http: MetabaseHttp): Promise<void> {
  const { version } = await http.look('session/properties', properties);
  const { is_superuser: isAdmin } = await refuseOld(version.tag, () => http.get('user/current', user));
  if (isAdmin !== true) {
    throw new MetabaseError(
      'Expected the key to belong to the group Administrators, got one of another group. ' +
        'Make one under Admin settings, Authentication, API keys, and set AIRANK_METABASE_KEY',
    );
  }
}

/** Refuses versions that are too old. An unusual version, as of a development build, counts as new. */
async function refuseOld<Result>(
  tag: string | null | undefined,
  next: () => Promise<Result>,
): Promise<Result> {
  const minor = /^v[01]\.(\d+)/.exec(tag ?? '')?.[1];
  if (minor === undefined || Number(minor) >= oldestMinor) return await next();
  throw new MetabaseError(`Expected Metabase 0.${oldestMinor} or newer, got ${tag}. Upgrade it`);
}

export interface BringOptions extends MetabaseAddress {
  readonly overwrite: boolean;
  readonly database: WantedDatabase;
  readonly waitMs: number;
  /** Pause between two looks. Default: 1000. */
  readonly pauseMs?: number;
  readonly onChange?: (change: Change) => void;
}

export interface Brought {
  readonly changes: readonly Change[];
  readonly links: readonly { readonly name: string; readonly url: string }[];
}

/** @throws MetabaseError as soon as something is refused; what was done until then stays */
export async function applyMetabase(options: BringOptions): Promise<Brought> {
  const { overwrite, signal, waitMs, pauseMs = 1_000 } = options;
  const http = createMetabaseHttp(options);
  const changes: Change[] = [];
  const note = (change: Change) => {
    changes.push(change);
    options.onChange?.(change);
  };
  const context: StepContext = { http, overwrite, note };
  const questions = inOrder(await readMetabaseQuestions());
  await checkMetabase(http);
  const { id: databaseId } = await databaseStep(context, options.database);
  const views = wantedViews(questions);
  const known = await schemaStep(context, databaseId, { views, waitMs, pauseMs, signal });
  await fieldsStep(context, known);
  const collectionId = await collectionStep(context);
  const made = await findMade(context, collectionId);
  const ids = queryIds(databaseId, known);
  const cardIds = await questionsStep(context, { questions, made, collectionId, ids });
  const given = { dashboards, questions, made, cardIds, collectionId };
  const dashboardIds = await dashboardsStep(context, given);
  const links = dashboards.flatMap(({ key, name }) => {
    const id = dashboardIds.get(key);
    return id === undefined ? [] : [{ name, url: http.link(`dashboard/${id}`) }];
  });
  return { changes, links };
}

function inOrder(questions: readonly Question[]): readonly Question[] {
  const pages = dashboards.flatMap((dashboard) => dashboard.pages.map(({ key }) => key));
  return pages.flatMap((page) => questions.filter((question) => question.page === page));
}

/** Returns the views that the role reads, with the columns that filter questions. */
function wantedViews(questions: readonly Question[]): ReadonlyMap<string, readonly string[]> {
  const names = catalogue().flatMap(({ schema, view }) => (schema === 'ops' ? [] : view));
  const tags = questions.flatMap((question) => question.tags);
  const columnsOf = (view: string) =>
    tags.flatMap((tag) => (tag.kind === 'field' && tag.view === view ? [tag.column] : []));
  return new Map(names.map((view) => [view, [...new Set(columnsOf(view))]]));
}

function queryIds(databaseId: number, known: KnownViews): QueryIds {
  return {
    databaseId,
    fieldId: (view, column) => {
      const id = known.get(view)?.get(column)?.id;
      if (id !== undefined) return id;
      throw new MetabaseError(
        `Metabase does not know ${view}.${column}. Run airank migrate, then apply again`,
      );
    },
  };
}
