// Brings every question up to date; one that people changed stays, unless they said to overwrite.
import { type Card, card } from './answers.ts';
import { type Made, madeKey } from './collection-step.ts';
import type { StepContext } from './context.ts';
import { type Mark, marked, markIn, unmarked } from './mark.ts';
import { nativeQuery, type QueryIds, queryText, questionParameters } from './native-query.ts';
import type { Question } from './question.ts';
import { stableHash } from './stable-hash.ts';

export interface QuestionsWish {
  readonly questions: readonly Question[];
  readonly made: ReadonlyMap<string, Made>;
  /** Undefined: a plan would make them. */
  readonly collectionId: number | undefined;
  readonly ids: QueryIds | undefined;
}

type CardBody = Record<string, unknown> & Omit<Card, 'id'>;

/** Metabase's ids of the questions that can be shown, by key. */
export async function questionsStep(
  context: StepContext,
  wish: QuestionsWish,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const question of wish.questions) {
    const made = wish.made.get(madeKey({ kind: 'question', key: question.key }));
    const id = await bring(context, wish, question, made);
    if (id !== undefined) ids.set(question.key, id);
  }
  return ids;
}

async function bring(
  context: StepContext,
  { collectionId, ids }: QuestionsWish,
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
  if (made === undefined) {
    note('create');
    return context.apply ? await settle(context, await context.http.post('card', body, card)) : undefined;
  }
  if (made.inTrash && !context.overwrite) {
    note('left', 'it is in the trash');
    return undefined;
  }
  const now = await context.http.get(`card/${made.id}`, card);
  const isChanged = made.mark.shown !== shownHash(now);
  if (isChanged && !context.overwrite) {
    note('left', 'people changed it');
    return made.id;
  }
  if (!isChanged && !made.inTrash && made.mark.made === markIn(body.description)?.made) {
    note('same');
    return made.id;
  }
  note(
    'change',
    made.inTrash ? 'out of the trash' : isChanged ? 'takes back what people changed' : 'as it is now',
  );
  if (!context.apply) return made.id;
  return await settle(context, await context.http.put(`card/${made.id}`, { ...body, archived: false }, card));
}

function cardBody(question: Question, ids: QueryIds, collectionId: number): CardBody {
  const body = {
    name: question.name,
    type: 'question',
    display: question.display,
    visualization_settings: { ...question.settings },
    dataset_query: nativeQuery(question, ids),
    parameters: questionParameters(question),
    collection_id: collectionId,
  };
  const shown = shownHash({ ...body, description: question.about });
  const mark: Mark = { kind: 'question', key: question.key, made: stableHash(body), shown };
  return { ...body, description: marked(question.about, mark) };
}

/** What people can change of a question. */
function shownHash(shown: Omit<Card, 'id'>): string {
  const { name, description, display, visualization_settings: settings, dataset_query: query } = shown;
  return stableHash([name, unmarked(description), display, settings ?? {}, queryText(query)]);
}

/** Where Metabase stored something in another form than it was given, the mark says what it shows. */
async function settle({ http }: StepContext, stored: Card): Promise<number> {
  const mark = markIn(stored.description);
  const shown = shownHash(stored);
  if (mark !== undefined && mark.shown !== shown) {
    const description = marked(unmarked(stored.description), { ...mark, shown });
    await http.put(`card/${stored.id}`, { description }, card);
  }
  return stored.id;
}
