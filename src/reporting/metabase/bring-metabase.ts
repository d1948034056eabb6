// Brings the pages into a Metabase, step by step: each looks first, so a second call changes nothing and a call after
// a stop goes on.
import { catalogue } from '../../db/code/catalogue.ts';
import { checkMetabase } from './check-metabase.ts';
import { collectionStep, findMade } from './collection-step.ts';
import type { Change, StepContext } from './context.ts';
import { dashboards } from './dashboards.ts';
import { dashboardsStep } from './dashboards-step.ts';
import { type DatabaseWish, databaseStep } from './database-step.ts';
import { fieldsStep } from './fields-step.ts';
import { MetabaseError } from './metabase-error.ts';
import { createMetabaseHttp, type MetabaseAddress } from './metabase-http.ts';
import type { QueryIds } from './native-query.ts';
import type { Question } from './question.ts';
import { questionsStep } from './questions-step.ts';
import { readMetabaseQuestions } from './read-metabase-questions.ts';
import { type KnownViews, schemaStep } from './schema-step.ts';

export interface BringOptions extends MetabaseAddress {
  /** False: only look. */
  readonly apply: boolean;
  readonly overwrite: boolean;
  readonly database: DatabaseWish;
  /** Longest wait for Metabase to read the views. */
  readonly waitMs: number;
  /** Between two looks. Default 1000. */
  readonly pauseMs?: number;
  readonly onChange?: (change: Change) => void;
}

export interface Brought {
  readonly changes: readonly Change[];
  /** Addresses of the dashboards that are there. */
  readonly links: readonly { readonly name: string; readonly url: string }[];
}

/** @throws MetabaseError as soon as something is refused; what was done until then stays */
export async function bringMetabase(options: BringOptions): Promise<Brought> {
  const { apply, overwrite, signal, waitMs, pauseMs = 1_000 } = options;
  const http = createMetabaseHttp(options);
  const changes: Change[] = [];
  const note = (change: Change) => {
    changes.push(change);
    options.onChange?.(change);
  };
  const context: StepContext = { http, apply, overwrite, note };
  const questions = inOrder(await readMetabaseQuestions());
  await checkMetabase(http);
  const database = await databaseStep(context, options.database);
  const databaseId = database?.id;
  const views = wantedViews(questions);
  const known =
    databaseId === undefined
      ? undefined
      : await schemaStep(context, databaseId, { views, waitMs, pauseMs, signal });
  if (databaseId === undefined) note({ kind: 'schema', name: `${views.size} views of bi`, what: 'create' });
  if (database !== undefined && known !== undefined) await fieldsStep(context, database, known);
  const collectionId = await collectionStep(context);
  const made = await findMade(context, collectionId);
  const ids = databaseId === undefined || known === undefined ? undefined : queryIds(databaseId, known);
  const cardIds = await questionsStep(context, { questions, made, collectionId, ids });
  const wish = { dashboards, questions, made, cardIds, collectionId };
  const dashboardIds = await dashboardsStep(context, wish);
  const links = dashboards.flatMap(({ key, name }) => {
    const id = dashboardIds.get(key);
    return id === undefined ? [] : [{ name, url: http.link(`dashboard/${id}`) }];
  });
  return { changes, links };
}

/** Page by page, as the dashboards show them. */
function inOrder(questions: readonly Question[]): readonly Question[] {
  const pages = dashboards.flatMap((dashboard) => dashboard.pages.map(({ key }) => key));
  return pages.flatMap((page) => questions.filter((question) => question.page === page));
}

/** The views that the role reads, with the columns that questions are filtered by. */
function wantedViews(questions: readonly Question[]): ReadonlyMap<string, readonly string[]> {
  const names = catalogue().flatMap(({ schema, view }) => (schema === 'ops' ? [] : view));
  const tags = questions.flatMap((question) => question.tags);
  const columnsOf = (view: string) =>
    tags.flatMap((tag) => (tag.kind === 'field' && tag.view === view ? [tag.column] : []));
  return new Map(names.map((view) => [view, [...new Set(columnsOf(view))]]));
}

function queryIds(databaseId: number, known: KnownViews): QueryIds | undefined {
  // In a plan Metabase may not have read the views yet: then every question is to be made.
  if (known.get('bi.clients')?.has('client_key') !== true) return undefined;
  return {
    databaseId,
    fieldId: (view, column) => {
      const id = known.get(view)?.get(column)?.id;
      if (id !== undefined) return id;
      throw new MetabaseError(
        `Expected Metabase to know ${view}.${column}, got a view without it. Run airank migrate, then apply again`,
      );
    },
  };
}
