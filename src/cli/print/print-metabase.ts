// What airank metabase says: one line a change, and a sum with the addresses at the end.
import { plural } from '../../core/plural.ts';
import type { Brought } from '../../reporting/metabase/bring-metabase.ts';
import type { Change } from '../../reporting/metabase/context.ts';

const marks = { create: '+', change: '~', left: '!' } as const;

/** Undefined: nothing to say of it. */
export function changeLine({ kind, name, what, why }: Change, mode: 'plan' | 'apply'): string | undefined {
  if (what === 'same') return undefined;
  const reason = why === undefined ? '' : ` (${why})`;
  const fix =
    what === 'left' ? `. It stays; --overwrite ${mode === 'plan' ? 'would take' : 'takes'} it back` : '';
  return `${marks[what]} ${kind.padEnd(10)} ${name}${reason}${fix}`;
}

export function endLines(
  changes: Brought['changes'],
  links: Brought['links'],
  mode: 'plan' | 'apply',
): string[] {
  const countOf = (what: Change['what']) => changes.filter((change) => change.what === what).length;
  const [made, changed, left] = [countOf('create'), countOf('change'), countOf('left')];
  const same = plural(countOf('same'), 'other');
  if (made + changed + left === 0) return ['Everything is up to date.', ...linkLines(links)];
  const sum =
    mode === 'plan'
      ? `${made} to create, ${changed} to change, ${left} to leave as people changed them; ${same} up to date.`
      : `${made} created, ${changed} changed, ${left} left as people changed them; ${same} up to date.`;
  const next = mode === 'plan' && made + changed > 0 ? ['Do it: airank metabase apply'] : [];
  return ['', sum, ...next, ...linkLines(links)];
}

function linkLines(links: Brought['links']): string[] {
  return links.map(({ name, url }) => `${name}: ${url}`);
}
