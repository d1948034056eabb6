// The mark at the end of a description, by which airank knows what it made, and sees whether people changed it.

export interface Mark {
  readonly kind: 'database' | 'collection' | 'question' | 'dashboard';
  /** Which of that kind. */
  readonly key: string;
  /** Hash of the definition that it was made from; of a database, see told-columns.ts. `-`: not finished. */
  readonly made: string;
  /** Hash of what Metabase showed of it then; `-`: not finished. */
  readonly shown: string;
}

/** In the place of a hash: a stop came before the end, and what is there is not what people wanted. */
export const unfinished = '-';

const form =
  /\s*\[airank (database|collection|question|dashboard) ([a-z0-9-]+) ([0-9a-f]{10}|-) ([0-9a-f]{10}|-)\]\s*$/;

/** A description with its mark. */
export function marked(text: string, { kind, key, made, shown }: Mark): string {
  return `${text}\n\n[airank ${kind} ${key} ${made} ${shown}]`;
}

/** Undefined: people made it. */
export function markIn(description: string | null | undefined): Mark | undefined {
  const [, kind, key, made, shown] = form.exec(description ?? '') ?? [];
  if (key === undefined || made === undefined || shown === undefined) return undefined;
  return { kind: kind as Mark['kind'], key, made, shown };
}

/** The description without its mark. */
export function unmarked(description: string | null | undefined): string {
  return (description ?? '').replace(form, '');
}
