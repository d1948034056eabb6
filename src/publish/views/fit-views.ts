// Fits the curated views to the warehouse: drops columns that nothing fills, and lists the windows of their counts.
import { sql } from 'kysely';
import { type Executor, eachWithin } from '../../db/database.ts';
import type { DescribedView } from './list-views.ts';

/** A view whose rows take longer to count stays as it is. */
const countTimeoutMs = 20_000;

/** A view of bi_history follows its namesake in bi. One without rows stays, as nothing is known of it yet. */
export async function fitViews(
  db: Executor,
  views: readonly DescribedView[],
): Promise<readonly DescribedView[]> {
  const current = views.filter(({ schema, columns }) => schema === 'bi' && columns.length > 0);
  const counts = await eachWithin(
    db,
    countTimeoutMs,
    current.map(({ schema, name, columns }) => {
      const filled = columns.map((column) => sql`count(${sql.id(column.name)})`);
      const hasWindow = columns.some((column) => column.name === 'window_days');
      const windows = hasWindow ? sql`array_agg(distinct window_days)` : sql`null::bigint[]`;
      return sql<{ filled: number[]; windows: number[] | null }>`
        select array[${sql.join(filled)}]::float8[] as filled, ${windows}::float8[] as windows
        from ${sql.id(schema, name)} having count(*) > 0`;
    }),
  );
  const facts = new Map(
    current.flatMap(({ name, columns }, place) => {
      const found = counts[place]?.[0];
      if (found === undefined) return [];
      const empty = columns.flatMap((column, at) => (found.filled[at] === 0 ? [column.name] : []));
      return [[name, { empty, windows: found.windows ?? undefined }] as const];
    }),
  );
  return views.map((view) => {
    const { empty, windows } = facts.get(view.name) ?? { empty: [], windows: undefined };
    const columns = view.columns.filter(({ name }) => !empty.includes(name));
    return { ...view, columns, windows };
  });
}
