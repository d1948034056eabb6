// Tells Metabase what columns are, each once: the key of a client, a share, a score, a place.
import { nothing } from './answers.ts';
import type { StepContext } from './context.ts';
import type { Found } from './database-step.ts';
import { fieldTypes } from './field-types.ts';
import type { KnownViews } from './schema-step.ts';
import { lastToldColumn, withLastToldColumn } from './told-columns.ts';

export async function fieldsStep(context: StepContext, database: Found, known: KnownViews): Promise<void> {
  const ids = [...known.values()].flatMap((columns) => [...columns.values()].map(({ id }) => id));
  const lastTold = lastToldColumn(database);
  const newest = ids.reduce((one, other) => Math.max(one, other), 0);
  if (newest <= lastTold) {
    context.note({ kind: 'fields', name: `${ids.length} columns`, what: 'same' });
    return;
  }
  const wanted = fieldTypes(known, lastTold);
  const why = 'types, and client_key as a key into bi.clients';
  context.note({ kind: 'fields', name: `${wanted.size} of ${ids.length} columns`, what: 'change', why });
  if (!context.apply) return;
  for (const [id, type] of wanted) await context.http.put(`field/${id}`, type, nothing);
  const { name, engine } = database;
  const description = withLastToldColumn(database, newest);
  if (description === undefined) return;
  await context.http.put(`database/${database.id}`, { name, engine, description }, nothing);
}
