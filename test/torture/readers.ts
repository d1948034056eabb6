// Readers that never stop asking, as dashboards do: each date they see must be whole.
import pg from 'pg';
import { recordsOf } from './world.ts';

interface Readers {
  /** @returns what was seen that may never be seen, and how many answers were looked at */
  stop(): Promise<{ readonly wrong: readonly string[]; readonly looks: number }>;
}

interface Question {
  readonly name: string;
  readonly sql: string;
  /** Whether one row of the answer is of a whole date. */
  isWhole(row: Row): boolean;
}

interface Row {
  readonly rows: number;
  /** Newest and oldest number in the records' identifiers. */
  readonly newest: number;
  readonly oldest: number;
}

const competitors = recordsOf('competitors', '', 1).length;
const products = recordsOf('products', 'c2', 1).length;
const isRange = (row: Row) => row.newest - row.oldest + 1 === row.rows;

const questions: readonly Question[] = [
  {
    name: 'snapshot.competitors',
    sql: `select count(*)::int as rows, max((payload->>'id')::int) as newest, min((payload->>'id')::int) as oldest
      from snapshot.competitors where until = 'infinity' having count(*) > 0`,
    isWhole: (row) => row.rows === competitors && isRange(row),
  },
  {
    name: 'api.competitors',
    sql: 'select count(*)::int as rows, max(id)::int as newest, min(id)::int as oldest from api.competitors having count(*) > 0',
    isWhole: (row) => row.rows === competitors && isRange(row),
  },
  {
    name: 'api.competitors_daily',
    sql: `select count(*)::int as rows, max(id)::int as newest, min(id)::int as oldest
      from api.competitors_daily group by run_date`,
    isWhole: (row) => row.rows === competitors && isRange(row),
  },
  {
    name: 'api.respuestas',
    sql: `select count(*)::int as rows, max(substr(id, 3)::int) as newest, min(substr(id, 3)::int) as oldest
      from api.respuestas having count(*) > 0`,
    isWhole: (row) => row.oldest === 1 && isRange(row),
  },
  {
    name: 'bi_history.share_of_voice',
    sql: 'select count(*)::int as rows, 1 as newest, 1 as oldest from bi_history.share_of_voice group by run_date',
    isWhole: (row) => row.rows === competitors,
  },
  {
    name: 'bi_history.products',
    sql: `select count(*)::int as rows, 1 as newest, 1 as oldest
      from bi_history.products where client_id = 'c2' group by run_date`,
    isWhole: (row) => row.rows === products,
  },
];

/** Views that are not there yet, and columns that the first run makes. */
const harmless = /^(42P01|42703)/;

export function startReaders(url: string): Readers {
  let isOver = false;
  let looks = 0;
  const wrong = new Set<string>();
  const read = async (asked: readonly Question[]) => {
    const pool = new pg.Pool({ connectionString: url, max: 1, application_name: 'torture-reader' });
    pool.on('error', () => undefined);
    while (!isOver) {
      for (const question of asked) {
        try {
          const { rows } = await pool.query<Row>(question.sql);
          for (const row of rows) {
            looks += 1;
            if (!question.isWhole(row)) wrong.add(`${question.name} showed ${JSON.stringify(row)}`);
          }
        } catch (error) {
          const code = String((error as { code?: unknown }).code ?? '');
          if (!harmless.test(code)) wrong.add(`${question.name}: ${code} ${String(error).slice(0, 160)}`);
          await pause(50);
        }
      }
      await pause(20);
    }
    await pool.end().catch(() => undefined);
  };
  const half = Math.ceil(questions.length / 2);
  const readers = [read(questions.slice(0, half)), read(questions.slice(half))];
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(readers);
      return { wrong: [...wrong], looks };
    },
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
