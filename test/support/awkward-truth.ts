// Says what a correct warehouse holds of the awkward server, slice by slice, and compares it inside Postgres: as jsonb,
// duplicates counted.
import type pg from 'pg';
import { type Field, object, type Raw } from './awkward-json.ts';
import {
  type AwkwardAnswer,
  answerTo,
  clientIds,
  publicIds,
  publicOf,
  questions,
  routes,
  runIds,
  traceOf,
} from './awkward-world.ts';

export interface SliceTruth {
  readonly stream: string;
  readonly clientId: string;
  readonly records: readonly Raw[];
  readonly envelope: Raw | undefined;
  /** Values that were replaced anywhere in the bodies. */
  readonly replaced: number;
}

/** Every slice of the account and its clients on a day. */
export function truthOf(
  day: number,
  clients: readonly string[] = clientIds.map(({ id }) => id),
): SliceTruth[] {
  const walked = routes.flatMap((route) =>
    (route.perClient ? ['', ...clients] : ['']).map((clientId) => ({
      stream: route.stream,
      clientId,
      ...contentOf(route.answer(day, clientId)),
    })),
  );
  return [
    ...walked,
    values(
      'agent_run_traces',
      runIds.map((id) => traceOf(day, id)),
    ),
    values(
      'ask',
      questions.map((question) => answerTo(question, day)),
    ),
    values(
      'airank_public',
      publicIds.map((id) => publicOf(id, day)),
    ),
  ];
}

function values(stream: string, records: readonly Raw[]): SliceTruth {
  return { stream, clientId: '', records, envelope: undefined, replaced: sum(records) };
}

function contentOf(answer: AwkwardAnswer): Pick<SliceTruth, 'records' | 'envelope' | 'replaced'> {
  if (answer.kind === 'body')
    return { records: [answer.body], envelope: undefined, replaced: answer.body.replaced };
  if (answer.kind === 'array') {
    return { records: answer.records, envelope: undefined, replaced: sum(answer.records) };
  }
  const records = answer.pages.flatMap((page) => page.records);
  const extra = answer.pages.flatMap((page) => page.extra);
  const fields = new Map<string, Field>();
  for (const [key, value] of extra) {
    const name = typeof key === 'string' ? key : key.stored;
    if (!fields.has(name)) fields.set(name, [key, value]);
  }
  return {
    records,
    envelope: fields.size === 0 ? undefined : object(...fields.values()),
    replaced: sum(records) + object(...extra).replaced,
  };
}

function sum(items: readonly Raw[]): number {
  return items.reduce((total, item) => total + item.replaced, 0);
}

interface Row {
  readonly stream: string;
  readonly clientId: string;
  readonly payload: string;
}

function rowsOf(truth: readonly SliceTruth[]): Row[] {
  return truth.flatMap(({ stream, clientId, records, envelope }) => [
    ...records.map((record) => ({ stream, clientId, payload: record.stored })),
    ...(envelope === undefined ? [] : [{ stream: 'envelope', clientId, payload: envelope.stored }]),
  ]);
}

interface Difference {
  readonly stream: string;
  readonly client_id: string;
  readonly payload: string;
  readonly expected: number;
  readonly found: number;
}

/**
 * Lists where the stored records of a date differ from the truth: none, when all is well. Compares jsonb's own text,
 * which is stricter than its equality (1.0 is not 1.00).
 */
export async function differences(
  pool: pg.Pool,
  truth: readonly SliceTruth[],
  { at = null }: { readonly at?: string | null } = {},
): Promise<Difference[]> {
  const rows = rowsOf(truth);
  const { rows: found } = await pool.query<Difference>(
    `with expected as (
       select stream, client_id, payload::jsonb::text as payload, count(*)::int as expected
       from unnest($1::text[], $2::text[], $3::text[]) as t (stream, client_id, payload) group by 1, 2, 3
     ), found as (
       select stream, client_id, payload::text as payload, count(*)::int as found
       from snapshot.record
       where case when $4::date is null then until = 'infinity' else run_date <= $4 and $4 < until end
       group by 1, 2, 3
     )
     select stream, client_id, left(payload, 200) as payload, coalesce(expected, 0) as expected, coalesce(found, 0) as found
     from expected full join found using (stream, client_id, payload)
     where expected is distinct from found order by 1, 2, 3 limit 40`,
    [rows.map((row) => row.stream), rows.map((row) => row.clientId), rows.map((row) => row.payload), at],
  );
  return found;
}
