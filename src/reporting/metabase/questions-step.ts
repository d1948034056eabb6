// Creates missing questions; resets existing ones only on request.
import { type Made, madeKey, marked } from './collection-step.ts';
import { madeItem, nothing, type StepContext } from './metabase-http.ts';
import { nativeQuery, type QueryIds, type Question, questionParameters } from './question.ts';

interface WantedQuestions {
  readonly questions: readonly Question[];
  readonly made: ReadonlyMap<string, Made>;
  readonly collectionId: number;
  readonly ids: QueryIds;
}

export async function questionsStep(
  context: StepContext,
  given: WantedQuestions,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const question of given.questions) {
    const id = await bring(context, given, question);
    if (id !== undefined) ids.set(question.key, id);
  }
  return ids;
}

async function bring(
  { http, note, overwrite }: StepContext,
  { made: all, collectionId, ids }: WantedQuestions,
  question: Question,
): Promise<number | undefined> {
  const mark = { kind: 'question', key: question.key } as const;
  const told = { kind: mark.kind, name: question.name };
  const made = all.get(madeKey(mark));
  const body = {
    name: question.name,
    description: marked(question.about, mark),
    type: 'question',
    display: question.display,
    visualization_settings: { ...question.settings },
    dataset_query: nativeQuery(question, ids),
    parameters: questionParameters(question),
    collection_id: collectionId,
  };
  if (made === undefined) {
    note({ ...told, what: 'create' });
    return (await http.post('card', body, madeItem)).id;
  }
  if (overwrite) {
    note({ ...told, what: 'change' });
    await http.put(`card/${made.id}`, { ...body, archived: false }, nothing);
    return made.id;
  }
  note({ ...told, ...(made.inTrash ? { what: 'left', why: 'it is in the trash' } : { what: 'same' }) });
  return made.inTrash ? undefined : made.id;
}
