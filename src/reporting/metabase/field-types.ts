// What Metabase should take each column of `bi` for.
import type { Field, KnownViews } from './schema-step.ts';

export interface WantedType {
  readonly semantic_type: string;
  readonly fk_target_field_id?: number;
}

const byName: readonly (readonly [RegExp, string])[] = [
  [/_rate$/, 'type/Percentage'],
  [/^score$|_score$/, 'type/Score'],
  [/_count$/, 'type/Quantity'],
  [/^country$/, 'type/Country'],
  [/^city$/, 'type/City'],
  [/^page_url$|^product_url$|^covered_url$/, 'type/URL'],
  [
    /^(client_name|account|method|status|.*_status|.*_type|engine|currency_code|channel|dimension|polarity|sector)$/,
    'type/Category',
  ],
];

/** What Metabase guesses by itself, and what may be said better. */
const guesses = [null, undefined, 'type/Category', 'type/Name'];

/**
 * Fields whose type is to be said, by id.
 * @param lastTold fields up to this id were told theirs before: what they have now is what people want
 */
export function fieldTypes(known: KnownViews, lastTold: number): ReadonlyMap<number, WantedType> {
  const target = known.get('bi.clients')?.get('client_key');
  const wanted = new Map<number, WantedType>();
  for (const [view, columns] of known) {
    for (const field of columns.values()) {
      if (field.id <= lastTold) continue;
      const type = typeOf(view, field, target);
      if (type !== undefined && !isSaid(field, type)) wanted.set(field.id, type);
    }
  }
  return wanted;
}

function typeOf(view: string, { name }: Field, target: Field | undefined): WantedType | undefined {
  if (name === 'client_key') {
    if (view === 'bi.clients') return { semantic_type: 'type/PK' };
    return target === undefined ? undefined : { semantic_type: 'type/FK', fk_target_field_id: target.id };
  }
  // The name by which Metabase shows a row of the table.
  if (view === 'bi.clients' && name === 'client_name') return { semantic_type: 'type/Name' };
  const type = byName.find(([pattern]) => pattern.test(name))?.[1];
  return type === undefined ? undefined : { semantic_type: type };
}

/** Said already, or chosen by people before airank came. */
function isSaid({ semantic_type: now, fk_target_field_id: target }: Field, wanted: WantedType): boolean {
  if (now === wanted.semantic_type) return wanted.fk_target_field_id === undefined || target != null;
  return !guesses.includes(now);
}
