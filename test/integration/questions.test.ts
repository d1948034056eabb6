// docs/bi-tools.md: each statement, run as a role of BI tools, says what follows from the published answers by other
// code. Here nothing reads a view: the truths are counted from the versions of records.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';
import { groupBy } from '../../src/core/group-by.ts';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import { useBiRole } from '../support/bi-role.ts';
import { makePushWorld } from '../support/push-logs-in-process.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { useDatabase } from '../support/test-database.ts';

/** Fields of the sandbox's records, of whichever stream. */
type Payload = Readonly<
  Record<'empresa' | 'nombre' | 'titulo' | 'fecha' | 'metodo' | 'pregunta' | 'motor', string> &
    Record<'url' | 'dominio' | 'canal' | 'moneda', string> &
    Record<'puntuacion' | 'menciones_por_100' | 'oportunidad' | 'importe' | 'pedidos', number> &
    Record<'comparable' | 'menciona' | 'propia' | 'activa', boolean> &
    Record<'motores' | 'rivalesPresentes', readonly string[]> & {
      id: string | number;
      cliente?: string | number | null;
      presencia: number | null;
      expectativa: { readonly metrica: string; readonly desde: number; readonly hasta: number };
      periodo: { readonly desde: string; readonly hasta: string };
      puntos: readonly (Record<'puntuacion' | 'inferior' | 'superior', number> & { fecha: string })[];
      resultado: { readonly observado: number; readonly lectura: string } | null;
    }
>;

interface Version {
  readonly stream: string;
  /** '' is the account itself. */
  readonly client: string;
  readonly from: string;
  readonly until: string;
  readonly payload: Payload;
}

const first = '2026-01-31';
const days = [0, 28, 48, 59];
const dates = days.map((day) => addDays(first as RunDate, day));
const today = '2026-03-31' as RunDate;
const streams = [
  ...['clientes', 'airank', 'visibility', 'visibility_history', 'prediccion', 'respuestas', 'mediciones'],
  ...['competitors', 'citations', 'prompts', 'prompt_gaps', 'revenue', 'actions'],
];
const page = readFileSync(join(packageRoot(), 'docs', 'bi-tools.md'), 'utf8');

const sandbox = { since: '2025-03-01', asked: '2025-12-01', seed: 35 };
const database = useDatabase(() => createSandboxWarehouse({ from: first, days, streams, sandbox }));
const role = useBiRole(database);
let bi: pg.Client;
let versions: readonly Version[];
let names: ReadonlyMap<string, string>;

beforeAll(async () => {
  bi = new pg.Client({ connectionString: role.url });
  await bi.connect();
  const { rows } = await database.pool.query<Version & { slice: string }>(
    `select stream, client_id as slice, run_date::text as from, until::text, payload from snapshot.record`,
  );
  versions = rows.map(({ slice, ...one }) => ({
    ...one,
    client: slice === '' ? String(one.payload.cliente ?? '') : slice,
  }));
  names = new Map([
    ...now('clientes').map(({ payload }) => [String(payload.id), payload.nombre] as const),
    ...now('airank').flatMap((one) => (one.client === '' ? [['', one.payload.empresa] as const] : [])),
  ]);
}, 120_000);

afterAll(() => bi?.end());

const on = (stream: string, date: string) =>
  versions.filter((one) => one.stream === stream && one.from <= date && one.until > date);
const now = (stream: string) => on(stream, today);
const nameOf = ({ client }: Version) => names.get(client) ?? client;
const mondayOf = (date: string) =>
  addDays(date.slice(0, 10) as RunDate, -((new Date(date).getUTCDay() + 6) % 7));

/** The statements below a heading of the page, in their order. */
function statementsOf(heading: string): readonly string[] {
  const section = page.split(/\n##+ /).find((one) => one.startsWith(`${heading}\n`));
  const found = [...(section ?? '').matchAll(/```sql\n(.*?)```/gs)].map(([, text = '']) => text);
  if (found.length === 0) throw new Error(`Expected SQL below "${heading}" in docs/bi-tools.md, got none`);
  return found;
}

/** Runs a statement of the page as of the last run date, and returns a line for each row, in any order. */
async function ask(heading: string, place = 0): Promise<string[]> {
  const text = (statementsOf(heading)[place] ?? '').replaceAll('current_date', `date '${today}'`);
  const types = { getTypeParser: () => (value: string | Buffer) => String(value) };
  const { rows } = await bi.query<(string | null)[]>({ text, rowMode: 'array', types });
  return linesOf(rows);
}

const linesOf = (rows: readonly (readonly (string | number | boolean | null)[])[]) =>
  rows
    .map((row) => row.map((one) => (one === true ? 't' : one === false ? 'f' : (one ?? '-'))).join(' | '))
    .sort();

/** As numeric rounds. */
const rounded = (value: number, digits: number) => (value + 1e-9).toFixed(digits);
const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);

/** Comparable points of the method that is measured now, by client, the newest first. The account itself is no client. */
function rankPoints(
  whose = ({ client }: Version) => client !== '',
): ReadonlyMap<string, readonly { date: string; score: number }[]> {
  const points = now('visibility_history').filter(
    (one) => one.payload.comparable && one.payload.metodo === 'v2' && whose(one),
  );
  return groupBy(
    points
      .map((one) => ({ name: nameOf(one), date: one.payload.fecha, score: one.payload.puntuacion }))
      .sort((a, b) => (a.date < b.date ? 1 : -1)),
    ({ name }) => name,
  );
}

it('the AI Rank of a year is the mean of its comparable points, by month', async () => {
  const truth = [...rankPoints()].flatMap(([name, points]) => {
    const year = points.filter(({ date }) => date > addDays(today, -365));
    return [...groupBy(year, ({ date }) => `${date.slice(0, 7)}-01`)].map(([month, own]) => [
      name,
      month,
      rounded(sum(own.map(({ score }) => score)) / own.length, 1),
      own.length,
    ]);
  });
  expect(truth.length).toBeGreaterThan(2 * 10);
  expect(await ask('How did the AI Rank develop over a year?')).toEqual(linesOf(truth));
});

it('the share of voice of an engine is the share of its answers that name the brand', async () => {
  const end = mondayOf(today);
  const answers = now('respuestas').filter(({ payload }) => {
    const week = mondayOf(payload.fecha);
    return week >= addDays(end, -28) && week < end;
  });
  const truth = [...groupBy(answers, (one) => `${nameOf(one)}/${one.payload.motor}`)].map(([key, own]) => [
    ...key.split('/'),
    own.length,
    rounded(own.filter(({ payload }) => payload.menciona).length / own.length, 3),
  ]);
  expect(truth).toHaveLength(3 * 4);
  expect(await ask('What is our share of voice, by engine?')).toEqual(linesOf(truth));
});

it('shares of the brand and its rivals are of all their mentions in 100 answers', async () => {
  const truth = [...groupBy(now('competitors'), nameOf)].flatMap(([name, rivals]) => {
    const answers = now('respuestas').filter(
      (one) => nameOf(one) === name && one.payload.fecha.slice(0, 10) > addDays(today, -28),
    );
    const own = (100 * answers.filter(({ payload }) => payload.menciona).length) / answers.length;
    const brands = [
      [name, true, own] as const,
      ...rivals.map(({ payload }) => [payload.nombre, false, payload.menciones_por_100] as const),
    ];
    const all = sum(brands.map(([, , per100]) => per100));
    return brands.map(([brand, isOwn, per100]) => [name, brand, isOwn, rounded(per100 / all, 3), 'computed']);
  });
  expect(await ask('What is our share of voice, by engine?', 1)).toEqual(linesOf(truth));
  const { rows } = await bi.query<{ sum: string }>(
    'select round(sum(share_of_voice_rate), 9)::float8 as sum from bi.share_of_voice group by client_key',
  );
  expect(rows).toEqual([1, 1, 1].map((sum) => ({ sum })));
});

it('what changed is the difference to the newest point of four weeks before', async () => {
  const truth = [...rankPoints()].map(([name, points]) => {
    const [last] = points;
    const then = points.find(({ date }) => date <= addDays((last?.date ?? '') as RunDate, -28));
    const change = (last?.score ?? 0) - (then?.score ?? 0);
    return [name, 'v2', last?.score ?? '', then?.date ?? '', then?.score ?? '', Number(change.toFixed(1))];
  });
  const numbers = (line: string) => line.replace(/\d+\.\d+/g, (number) => String(Number(number)));
  const answer = await ask('What has changed since last month?');
  expect(answer.map(numbers).sort()).toEqual(linesOf(truth));
});

it('what came of actions is what was expected when they were frozen, and what was observed', async () => {
  const truth = now('actions').flatMap((one) => {
    const { titulo, resultado } = one.payload;
    if (resultado === null) return [];
    // As it was said first.
    const { expectativa } = versions
      .filter(({ stream, payload }) => stream === 'actions' && payload.id === one.payload.id)
      .reduce((a, b) => (a.from < b.from ? a : b)).payload;
    const { metrica, desde, hasta } = expectativa;
    const { observado, lectura } = resultado;
    return [[nameOf(one), titulo, metrica, desde, hasta, observado, lectura, observado >= hasta]];
  });
  const numbers = (line: string) => line.replace(/\d+\.\d+/g, (number) => String(Number(number)));
  expect(truth.length).toBeGreaterThan(0);
  const answer = await ask('What was done, and what came of it?');
  expect(answer.map(numbers).sort()).toEqual(linesOf(truth));
});

it('pages and domains are lost that were cited before and are not now', async () => {
  const pagesOn = (date: string) =>
    new Map(on('citations', date).map((one) => [`${nameOf(one)} ${one.payload.url}`, one] as const));
  const cited = pagesOn(today);
  const domains = new Set([...cited.values()].map((one) => `${nameOf(one)} ${one.payload.dominio}`));
  const lost = new Map<string, { one: Version; date: string }>();
  for (const [index, date] of dates.entries()) {
    const before = dates[index - 1];
    if (before === undefined || date <= addDays(today, -28)) continue;
    const then = pagesOn(date);
    for (const [key, one] of pagesOn(before)) {
      if (!then.has(key) && !cited.has(key)) lost.set(key, { one, date });
    }
  }
  const truth = [...lost.values()].map(({ one, date }) => {
    const { dominio, url, propia } = one.payload;
    return [nameOf(one), dominio, url, propia, date, !domains.has(`${nameOf(one)} ${dominio}`)];
  });
  expect(new Set(truth.map((row) => row[5])).size).toBe(2);
  expect(await ask('Which pages and domains did we lose?')).toEqual(linesOf(truth));
});

it('questions without the brand are those of the panel with no presence, and the gaps', async () => {
  const absent = now('prompts').filter(({ payload }) => payload.activa && payload.presencia === 0);
  expect(absent.length).toBeGreaterThan(0);
  expect(await ask('Which questions are answered without us?')).toEqual(
    linesOf(absent.map((one) => [nameOf(one), one.payload.pregunta, one.payload.motores.join(', ')])),
  );
  expect(await ask('Which questions are answered without us?', 1)).toEqual(
    linesOf(
      now('prompt_gaps').map((one) => {
        const { pregunta, rivalesPresentes, oportunidad } = one.payload;
        return [nameOf(one), pregunta, rivalesPresentes.join(', '), oportunidad];
      }),
    ),
  );
});

it('revenue of a period is what was said of it last', async () => {
  const said = new Map(
    dates.flatMap((date) =>
      on('revenue', date).map((one) => {
        const { canal, moneda, periodo } = one.payload;
        return [[nameOf(one), canal, moneda, periodo.desde].join('/'), one] as const;
      }),
    ),
  );
  const ofPeriod = ([, one]: readonly [string, Version]) =>
    [nameOf(one), one.payload.periodo.desde, one.payload.periodo.hasta, one.payload.moneda].join('/');
  const truth = [...groupBy([...said], ofPeriod)].map(([key, own]) => [
    ...key.split('/'),
    rounded(sum(own.map(([, { payload }]) => payload.importe)), 2),
    sum(own.map(([, { payload }]) => payload.pedidos)),
  ]);
  // March was read twice: as it was known on the 20th, and on the 31st.
  expect(new Set(versions.map(({ payload }) => payload.periodo?.hasta))).toContain('2026-03-20');
  expect(await ask('What did engines bring in, by period?')).toEqual(linesOf(truth));
});

it('predictions are held against the newest comparable point until their date', async () => {
  const made = dates.flatMap((date) =>
    on('prediccion', date).flatMap((one) =>
      one.payload.puntos.flatMap((point) => {
        const come = point.fecha <= today;
        const observed = rankPoints(() => true)
          .get(nameOf(one))
          ?.find(({ date }) => date <= point.fecha && date >= addDays(point.fecha as RunDate, -6));
        if (!come || observed === undefined) return [];
        const days = (Date.parse(point.fecha) - Date.parse(one.payload.fecha)) / 86_400_000;
        return [{ ...point, name: nameOf(one), days, came: observed.score }];
      }),
    ),
  );
  const truth = [...groupBy(made, ({ name, days }) => `${name}/${days}`)].map(([key, own]) => [
    ...key.split('/'),
    own.length,
    rounded(sum(own.map(({ came, puntuacion }) => Math.abs(came - puntuacion))) / own.length, 2),
    own.filter(({ came, inferior, superior }) => came >= inferior && came <= superior).length,
  ]);
  expect(truth.map(([, days]) => days)).toEqual(['7', '14', '21', '28']);
  expect(await ask('Did predictions come true?')).toEqual(linesOf(truth));
});

it('visits of bots are the lines of the logs that were sent', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => {
    const day = addDays('2026-02-10' as RunDate, index % 45);
    return {
      bot: ['GPTBot', 'ClaudeBot', 'PerplexityBot'][(index * 7) % 3] ?? '',
      day,
      status: index % 5 === 0 ? 404 : 200,
    };
  });
  const logs = await makePushWorld(database);
  await database.pool.query('insert into sync.new_account (account) values ($1)', [logs.account]);
  try {
    const text = lines.map(({ bot, day, status }) => {
      const [year, month, date] = day.split('-');
      const written = `${date}/${month === '02' ? 'Feb' : 'Mar'}/${year}:10:00:00 +0000`;
      return `203.0.113.7 - - [${written}] "GET / HTTP/1.1" ${status} 512 "-" "${bot}/1.0"`;
    });
    const path = logs.write('access.log', `${text.join('\n')}\n`);
    await logs.push([path], { now: () => Date.parse(`${today}T12:00:00Z`) });
  } finally {
    await logs.close();
  }
  const truth = [...groupBy(lines, ({ bot, day }) => `${bot}/${day.slice(0, 7)}-01`)].map(([key, own]) => [
    null,
    ...key.split('/'),
    own.length,
    own.filter(({ status }) => status === 404).length,
  ]);
  expect(await ask('Which bots crawl the site, and how often?')).toEqual(linesOf(truth));
});

it('what is fresh is said of each client by its newest published run dates', async () => {
  const { rows: slices } = await database.pool.query<{ stream: string; client_id: string; at: string }>(
    `select stream, client_id, run_date::text, completed_at::text as at from sync.slice where completed_at is not null`,
  );
  const truth = [...groupBy(slices, ({ client_id }) => client_id)].map(([client, own]) => {
    const routes = new Set(own.map(({ stream }) => stream)).size;
    const published =
      own
        .map(({ at }) => at)
        .sort()
        .at(-1) ?? '';
    return [names.get(client) ?? client, routes, routes, today, today, published];
  });
  expect(await ask('How fresh is what I see?')).toEqual(linesOf(truth));
});
