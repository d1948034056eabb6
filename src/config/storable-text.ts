// Text that Postgres and URLs can hold. A NUL in a key path or a question would fail a slice at night with an error of
// Postgres; half a surrogate pair would silently become another text.
import { z } from 'zod';

interface Flaw {
  /** What was expected instead. */
  readonly expected: string;
  readonly fix: string;
}

/** What Postgres cannot hold in a text as it is written; undefined: nothing. */
export function flawOf(text: string): Flaw | undefined {
  const nul = text.indexOf('\0');
  if (nul >= 0) {
    return { expected: 'a text without NUL characters', fix: `Remove the NUL at position ${nul + 1}.` };
  }
  const half = /\p{Surrogate}/u.exec(text);
  if (half === null) return undefined;
  return {
    expected: 'a text of whole characters',
    fix: `Remove the half of a surrogate pair at position ${half.index + 1}.`,
  };
}

/** Not empty, and storable; `expected` is the phrase for everything else. */
export function storableText(expected: string) {
  return z.string({ error: expected }).min(1, { error: expected }).superRefine(checkStorable);
}

export function checkStorable(text: string, context: z.core.$RefinementCtx): void {
  const flaw = flawOf(text);
  if (flaw === undefined) return;
  context.addIssue({ code: 'custom', message: flaw.expected, params: { fix: flaw.fix } });
}
