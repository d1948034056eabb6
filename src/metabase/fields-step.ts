// Tells Metabase what columns are: the key of a client, a share, a score, a place.
import { nothing } from './answers.ts';
import type { StepContext } from './context.ts';
import { fieldTypes } from './field-types.ts';
import type { KnownViews } from './schema-step.ts';

export async function fieldsStep(context: StepContext, known: KnownViews): Promise<void> {
  const wanted = fieldTypes(known);
  const total = [...known.values()].reduce((sum, columns) => sum + columns.size, 0);
  if (wanted.size === 0) {
    context.note({ kind: 'fields', name: `${total} columns`, what: 'same' });
    return;
  }
  const why = 'types, and client_key as a key into bi.clients';
  context.note({ kind: 'fields', name: `${wanted.size} of ${total} columns`, what: 'change', why });
  if (!context.apply) return;
  for (const [id, type] of wanted) await context.http.put(`field/${id}`, type, nothing);
}
