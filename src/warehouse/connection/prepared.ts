// Statements that run for every slice or request are planned once a connection: planning took as long as running them.
// Only where the text is constant and a row or two is looked up by key, so that one plan fits all values.
import { sql } from 'kysely';
import type pg from 'pg';

const mark = '/* prepared */';

/** Begins a statement that is to be prepared. */
export const prepared = sql.raw(mark);

/** Texts are few: a statement has one, or one a stream. */
const names = new Map<string, string>();

/** Gives a marked statement the name under which pg prepares it; any other goes through as it is. */
export function preparing(Client: typeof pg.Client): typeof pg.Client {
  return class extends Client {
    // Overloads of pg.Client.query take what they are given.
    override query(...args: unknown[]): never {
      const [text, values, ...more] = args;
      const query = super.query as (...given: unknown[]) => never;
      if (typeof text !== 'string' || !text.startsWith(mark)) return query.apply(this, args);
      const name = names.get(text) ?? `airank_${names.size + 1}`;
      names.set(text, name);
      return query.apply(this, [{ name, text, values }, ...more]);
    }
  };
}
