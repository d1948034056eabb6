// test/statistics/main.ts [PATTERN [CLIENTS [WEEKS]]]: how often unchanged clients are named, how often falling ones are, and
// how often intervals hold the true share, in made-up worlds. Verdicts of years are those of a model, which is compared
// with the program first; intervals and the AI Rank are read from the program's views. Ten minutes.
import { sql } from 'kysely';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { migrate } from '../../src/install/migrate.ts';
import { insertDerived } from '../../src/publish/tables/derived.ts';
import { mentionChange, mentionCount } from '../../src/publish/tables/mention-tables.ts';
import { Dice } from '../../src/sandbox/random.ts';
import { withEmptyPostgres } from '../support/empty-postgres.ts';
import { type Asked, ask, engines, type World, weekdayOf, zOf } from './model.ts';

const [, , pattern = '', ...sizes] = process.argv;
const [clients = 500, weeks = 104] = sizes.map(Number);
const firstDate = '2026-01-05' as RunDate;
const bound = 3.5;
/** Days of answers before the first look. */
const lead = 55;

function row(...cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

function head(...cells: readonly string[]): void {
  process.stdout.write('\n');
  row(...cells);
  row(...cells.map(() => '---'));
}

const percent = (share: unknown, digits = 1) => `${(100 * Number(share)).toFixed(digits)} %`;

/** The first row of a statement. */
async function valuesOf(db: Executor, text: string): Promise<Record<string, unknown>> {
  const { rows } = await sql<Record<string, unknown>>`${sql.raw(text)}`.execute(db);
  return rows[0] ?? {};
}

/** Puts the answers of clients c0, c1, … into typed.answers, and into the table made each one's mean chance. */
async function storeAnswers(
  db: Executor,
  world: World,
  asked: readonly Asked[],
  dates: 'own' | 'first',
): Promise<void> {
  await sql`truncate typed.answers`.execute(db);
  await sql`drop table if exists made`.execute(db);
  await sql`create temporary table made (client_id text, share float8)`.execute(db);
  for (const [client, { chances, named }] of asked.entries()) {
    const answers = Array.from(named, (isNamed, place) => {
      const at = Math.floor(place / engines);
      const question = at % world.questions;
      const day = 7 * Math.floor(at / world.questions) + weekdayOf(world, question);
      return {
        question,
        engine: place % engines,
        is_named: isNamed === 1,
        day: dates === 'own' ? day : 0,
        place,
      };
    });
    await sql`
      insert into typed.answers (account, slice_client_id, until, from_date, record_key, row_no, client_id, engine, question, is_mentioned, date)
      select 'made', '', 'infinity', ${firstDate}::date + day, ${client} || '-' || place, 0, ${`c${client}`}, 'e' || engine, 'q' || question,
        is_named, ${firstDate}::date + day
      from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) as a (question integer, engine integer, is_named boolean, day integer, place integer)`.execute(
      db,
    );
    const share = chances.reduce((sum, chance) => sum + chance, 0) / chances.length;
    await sql`insert into made values (${`c${client}`}, ${share})`.execute(db);
  }
  await sql`analyze typed.answers`.execute(db);
}

const askMany = (world: World, count: number, seed: string) =>
  Array.from({ length: count }, (_, client) => ask(world, new Dice(seed, client)));

async function compared(db: Executor): Promise<void> {
  head('the model and the program', 'verdicts', 'that differ');
  for (const isSpread of [true, false]) {
    const world = { weeks: 12, questions: 40, mean: 0.3, isSpread, fall: { week: 8, to: 0.2, third: true } };
    const asked = askMany(world, 40, 'compared');
    await storeAnswers(db, world, asked, 'own');
    let count = 0;
    let differing = 0;
    for (let day = lead; day < world.weeks * 7; day += 1) {
      const where = `x.date <= '${addDays(firstDate, day)}'`;
      await sql`truncate typed.mention_change`.execute(db);
      await sql.raw(insertDerived(mentionChange, { from: 'typed.answers', where })).execute(db);
      const { rows } = await sql<{ client: number; z: number; direction: string }>`
        select substr(client_id, 2)::integer as client, z::float8 as z, direction from bi.mention_changes`.execute(
        db,
      );
      for (const { client, z, direction } of rows) {
        const own = asked[client] === undefined ? Number.NaN : zOf(world, asked[client], day);
        const word = own >= bound ? 'rose' : own <= -bound ? 'fell' : 'usual';
        count += 1;
        if (!(Math.abs(z - own) < 1e-5 && direction === word)) differing += 1;
      }
    }
    row(isSpread ? 'asked over the week' : 'asked on one day', String(count), String(differing));
  }
}

/** A client is newly named where it is on a day and was not on the day before, or on none of the seven before. */
function unchanged(): void {
  head(
    `${clients} unchanged clients, looked at daily for ${weeks} weeks`,
    'newly named a week',
    'not counting those of the last seven days',
    'named on a day',
    'beyond 1.96',
  );
  const worlds: readonly (readonly [string, Omit<World, 'questions' | 'weeks'>])[] = [
    ['0.3', { mean: 0.3 }],
    ['0.3, all questions alike', { mean: 0.3, differ: false }],
    ['0.3, all asked on one day of the week', { mean: 0.3, isSpread: false }],
    ['0.5', { mean: 0.5 }],
    ['0.05', { mean: 0.05 }],
    ['0.3, questions drift by 0.1 a week', { mean: 0.3, drift: 0.1 }],
    ['0.5, questions drift by 0.1 a week', { mean: 0.5, drift: 0.1 }],
    ['0.3, questions drift by 0.2 a week', { mean: 0.3, drift: 0.2 }],
  ];
  for (const [name, more] of worlds) {
    const world = { questions: 40, weeks: 8 + weeks, ...more };
    const counts = { looks: 0, named: 0, weak: 0, newly: 0, fresh: 0 };
    for (let client = 0; client < clients; client += 1) {
      const asked = ask(world, new Dice('unchanged', name, client));
      let last = -8;
      for (let day = lead; day < world.weeks * 7; day += 1) {
        const z = Math.abs(zOf(world, asked, day));
        counts.looks += 1;
        if (z >= 1.96) counts.weak += 1;
        if (z < bound) continue;
        counts.named += 1;
        if (last < day - 1) counts.newly += 1;
        if (last < day - 7) counts.fresh += 1;
        last = day;
      }
    }
    const { looks, named, weak, newly, fresh } = counts;
    row(
      name,
      (newly / weeks).toFixed(2),
      (fresh / weeks).toFixed(2),
      percent(named / looks, 3),
      percent(weak / looks),
    );
  }
}

function falling(): void {
  const count = 4 * clients;
  head(
    `${count} clients that fall, 40 questions a week on four engines`,
    'named within 28 days',
    'on the 28th day',
    'said to rise',
  );
  for (const [mean, to] of [
    [0.3, 0.2],
    [0.5, 0.4],
  ] as const) {
    for (const third of [false, true]) {
      for (const [name, more] of [
        ['', {}],
        [', all alike', { differ: false }],
        [', asked on one day of the week', { isSpread: false }],
        [', drift by 0.1 a week', { drift: 0.1 }],
      ] as const) {
        const world = { questions: 40, mean, weeks: 12, fall: { week: 8, to, third }, ...more };
        const of = { fell: 0, last: 0, rose: 0 };
        for (let client = 0; client < count; client += 1) {
          const asked = ask(world, new Dice('falling', mean, `${third}`, name, client));
          const all = Array.from({ length: 28 }, (_, place) => zOf(world, asked, 56 + place));
          if (all.some((z) => z <= -bound)) of.fell += 1;
          if ((all.at(-1) ?? 0) <= -bound) of.last += 1;
          if (all.some((z) => z >= bound)) of.rose += 1;
        }
        const which = third ? '14 of the questions' : 'all questions';
        row(
          `${mean} to ${to}, ${which}${name}`,
          percent(of.fell / count),
          percent(of.last / count),
          percent(of.rose / count),
        );
      }
    }
  }
}

/** Checks rows of bi.mention_rates. The true share is that of the chances of the questions that were asked. */
async function intervals(db: Executor): Promise<void> {
  const count = Math.ceil(clients / 2);
  head(
    `share of an engine and week, ${engines * count} each`,
    'intervals that hold the true share',
    'width, of a plain one',
  );
  for (const mean of [0.3, 0.5, 0.05]) {
    for (const [name, times, more] of [
      ['40 questions asked daily', 7, {}],
      ['40 questions asked twice', 2, {}],
      ['40 questions that are alike, asked twice', 2, { differ: false }],
      ['40 questions asked daily, drift by 0.1 from one day to the next', 7, { drift: 0.1 }],
      ['10 questions asked 4 times', 4, { questions: 10 }],
      ['40 questions asked once', 1, {}],
    ] as const) {
      const world = { questions: 40, mean, weeks: times, ...more };
      await storeAnswers(db, world, askMany(world, count, `intervals ${mean} ${name}`), 'first');
      await sql`truncate typed.mention_count`.execute(db);
      await sql.raw(insertDerived(mentionCount, { from: 'typed.answers', where: 'true' })).execute(db);
      const { held, width } = await valuesOf(
        db,
        `select avg((m.share between r.low_rate and r.high_rate)::integer) as held,
           avg(r.high_rate - r.low_rate) / avg(bi.share_bound(r.mention_rate, r.known_count, 1) - bi.share_bound(r.mention_rate, r.known_count, -1)) as width
         from bi.mention_rates as r join made as m using (client_id)`,
      );
      row(`${mean}, ${name}`, percent(held), Number(width).toFixed(2));
    }
  }
}

/** Checks changes between points that are 28 days apart. */
async function rank(db: Executor): Promise<void> {
  const count = 40 * clients;
  head(`AI Rank of ${count} clients that stays as it is`, 'called clear, of 100,000 (meant: 47)');
  const noise = 'sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())';
  for (const changes of [7, 13]) {
    for (const [name, score] of [
      ['each point with an error of its own', noise],
      ['errors that add up', `sum(${noise}) over (partition by c.client order by p.place)`],
    ] as const) {
      await sql`truncate typed.rank_point`.execute(db);
      await sql`select setseed(${changes / 100})`.execute(db);
      await sql`
        insert into typed.rank_point (account, source, slice_client_id, until, from_date, record_key, client_id, is_standing, date, method, score, comparable, source_rank)
        select 'made', 'visibility_history', '', 'infinity', ${firstDate}::date, c.client || '-' || p.place, 'c' || c.client, false,
          ${firstDate}::date - 28 * p.place, 'v2', 50 + ${sql.raw(score)}, true, 4
        from generate_series(1, ${count}::integer) as c (client), generate_series(0, ${changes + 1}::integer) as p (place)`.execute(
        db,
      );
      await sql`analyze typed.rank_point`.execute(db);
      const { clear } = await valuesOf(
        db,
        'select avg(change_28d_is_clear::integer) as clear from bi.rank_latest',
      );
      row(`${changes} earlier changes, ${name}`, (100_000 * Number(clear)).toFixed(0));
    }
  }
}

await withEmptyPostgres(async (url) => {
  const pool = createPool({ connectionString: url, max: 1, applicationName: 'statistics' });
  try {
    await migrate(pool, []);
    const db = createDatabase(pool);
    await sql`select set_config('jit', 'off', false), set_config('work_mem', '256MB', false)`.execute(db);
    for (const [name, make] of Object.entries({ compared, unchanged, falling, intervals, rank })) {
      if (name.includes(pattern)) await make(db);
    }
  } finally {
    await pool.end();
  }
});
