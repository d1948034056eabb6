// Brings every question up to date; one that people changed stays, unless they said to overwrite.

import {
  type Made,
  type Mark,
  madeKey,
  marked,
  stableHash,
  unfinished,
  unmarked,
} from './collection-step.ts';
import { type Card, card, type StepContext } from './metabase-http.ts';
import { nativeQuery, type QueryIds, type Question, queryText, questionParameters } from './question.ts';

export interface WantedQuestions {
  readonly questions: readonly Question[];
  readonly made: ReadonlyMap<string, Made>;
  /** Undefined: a plan would make them. */
  readonly collectionId: number | undefined;
  readonly ids: QueryIds | undefined;
}

type CardBody = Record<string, unknown>;

/** Metabase's ids of the questions that can be shown, by key. */
export async function questionsStep(
  context: StepContext,
  given: WantedQuestions,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const question of given.questions) {
    const made = given.made.get(madeKey({ kind: 'question', key: question.key }));
    const id = await bring(context, given, question, made);
    if (id !== undefined) ids.set(question.key, id);
  }
  return ids;
}

async function bring(
  context: StepContext,
  { collectionId, ids }: WantedQuestions,
  question: Question,
  made: Made | undefined,
): Promise<number | undefined> {
  const note = (what: 'create' | 'change' | 'same' | 'left', why?: string) =>
    context.note({ kind: 'question', name: question.name, what, ...(why === undefined ? {} : { why }) });
  if (collectionId === undefined || ids === undefined) {
    note('create');
    return undefined;
  }
  const body = cardBody(question, ids, collectionId);
  const whole = stableHash(body);
  const begun = { ...body, description: marked(question.about, markOf(question, unfinished, unfinished)) };
  if (made === undefined) {
    note('create');
    if (!context.apply) return undefined;
    return await settle(context, question, whole, await context.http.post('card', begun, card));
  }
  if (made.inTrash && !context.overwrite) {
    note('left', 'it is in the trash');
    return undefined;
  }
  const now = await context.http.get(`card/${made.id}`, card);
  const isChanged = made.mark.shown !== unfinished && made.mark.shown !== shownHash(now);
  if (isChanged && !context.overwrite) {
    note('left', 'people changed it');
    return made.id;
  }
  if (!isChanged && !made.inTrash && made.mark.made === whole) {
    note('same');
    return made.id;
  }
  note(
    'change',
    made.inTrash ? 'out of the trash' : isChanged ? 'takes back what people changed' : 'as it is now',
  );
  if (!context.apply) return made.id;
  const stored = await context.http.put(`card/${made.id}`, { ...begun, archived: false }, card);
  return await settle(context, question, whole, stored);
}

/** Without its description, which holds the mark. */
function cardBody(question: Question, ids: QueryIds, collectionId: number): CardBody {
  return {
    name: question.name,
    type: 'question',
    display: question.display,
    visualization_settings: { ...question.settings },
    dataset_query: nativeQuery(question, ids),
    parameters: questionParameters(question),
    collection_id: collectionId,
  };
}

const markOf = ({ key }: Question, made: string, shown: string): Mark => ({
  kind: 'question',
  key,
  made,
  shown,
});

/** What people can change of a question. */
function shownHash(shown: Omit<Card, 'id'>): string {
  const { name, description, display, visualization_settings: settings, dataset_query: query } = shown;
  return stableHash([name, unmarked(description), display, settings ?? {}, queryText(query)]);
}

/** Says by the mark that it is whole, and what Metabase shows of it, which may be another form than it was given. */
async function settle(
  { http }: StepContext,
  question: Question,
  made: string,
  stored: Card,
): Promise<number> {
  const mark = markOf(question, made, shownHash(stored));
  await http.put(`card/${stored.id}`, { description: marked(question.about, mark) }, card);
  return stored.id;
}
