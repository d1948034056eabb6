// What a schema lacks of this version's, in words.
import { plural } from '../../core/plural.ts';

/** `2 migrations to apply (first: 000002_x)`, `1 function to install (code/sync/learn.sql)`. @param pending at least one */
export function pendingText(pending: readonly string[]): string {
  const [first = ''] = pending;
  const what = first.startsWith('code/')
    ? `${plural(pending.length, 'function')} to install`
    : `${plural(pending.length, 'migration')} to apply`;
  return `${what} (${pending.length === 1 ? '' : 'first: '}${first})`;
}
