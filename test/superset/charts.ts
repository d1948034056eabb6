// What charts of a demo of six run dates must show: computed from stored payloads, by statements that know nothing of the
// views. Dates are shown as milliseconds since 1970.

interface Chart {
  readonly name: string;
  /** Missing: a chart of the dashboard has this name. */
  readonly asked?: { readonly view: string; readonly query: object };
  /** Columns as in the chart, and `value`. */
  readonly truth: string;
}

/** The records of a stream as they are now. */
const now = (stream: string) => `snapshot.record as r where r.stream = '${stream}' and r.until = 'infinity'`;
const number = (field: string) => `(r.payload ->> '${field}')::numeric`;
const ms = (date: string) => `(extract(epoch from ${date}) * 1000)::bigint`;
const named = `(select r.payload ->> 'id' as client_id, r.payload ->> 'nombre' as client_name from ${now('clientes')}) as c`;

/** The points that may be compared of each client, of its newest method. */
const points = `(
  select r.client_id, r.payload ->> 'metodo' as method, (r.payload ->> 'fecha')::date as date, ${number('puntuacion')} as score,
    max(r.payload ->> 'metodo') over (partition by r.client_id) as current
  from ${now('visibility_history')} and (r.payload ->> 'comparable')::boolean
) as p`;

export const charts: readonly Chart[] = [
  {
    name: 'AI Rank of all clients',
    truth: `select ${ms('d.day')} as date, avg(p.score) as value
      from (
        select generate_series(min(p.date)::timestamp, (select max(run_date) from sync.slice), interval '1 day')::date as day from ${points}
      ) as d
      cross join (select distinct client_id from ${points} where client_id <> '') as c
      cross join lateral (
        select score from ${points} where p.client_id = c.client_id and method = current and date <= d.day order by date desc limit 1
      ) as p
      group by 1`,
  },
  {
    name: 'AI Rank by client',
    truth: `select distinct on (c.client_name) c.client_name, score as value from ${points} join ${named} using (client_id)
      where method = current order by c.client_name, date desc`,
  },
  {
    name: 'Change in 28 days by client',
    truth: `select distinct on (c.client_name) c.client_name, p.score - (
        select score from ${points.replace(/ as p$/, ' as b')} where b.client_id = p.client_id and b.method = p.method
          and b.date between p.date - 41 and p.date - 28 order by b.date desc limit 1
      ) as value from ${points} join ${named} using (client_id) where method = current order by c.client_name, p.date desc`,
  },
  {
    name: 'Share of answers that name the brand, by engine and week',
    truth: `select ${ms(`date_trunc('week', (r.payload ->> 'fecha')::timestamptz at time zone 'UTC')`)} as week_date, r.payload ->> 'motor' as engine,
        avg((r.payload ->> 'menciona')::boolean::integer) as value
      from ${now('respuestas')} group by 1, 2`,
  },
  {
    name: 'Citations by domain',
    truth: `select r.payload ->> 'dominio' as domain, sum(${number('citas')}) as value from ${now('sources')} group by 1 order by 2 desc limit 15`,
  },
  {
    name: 'Visits of bots',
    truth: `select r.payload ->> 'bot' as bot, sum(${number('visitas7d')}) as value from ${now('crawl')} group by 1`,
  },
  {
    name: 'Revenue by month and currency',
    truth: `select ${ms(`date_trunc('month', (r.payload -> 'periodo' ->> 'desde')::date::timestamp)`)} as period_start_date,
        r.payload ->> 'moneda' as currency_code, sum(${number('importe')}) as value
      from ${now('revenue')} group by 1, 2`,
  },
  {
    name: 'Share of routes that are up to date',
    truth: `select coalesce(c.client_name, (select r.payload ->> 'empresa' from ${now('visibility')} and r.client_id = '')) as client_name,
        avg((s.run_date = (select max(run_date) from sync.slice))::integer) as value
      from (
        select distinct on (stream, client_id) client_id, run_date from sync.slice where completed_at is not null
        order by stream, client_id, run_date desc
      ) as s
      left join ${named} using (client_id)
      group by 1`,
  },
  {
    name: 'Clients with a rank, in a dashboard that is filtered by "last day"',
    asked: { view: 'bi.rank_latest', query: { metrics: ['row_count'], time_range: 'Last day' } },
    truth: `select count(distinct client_id) as value from ${points} where client_id <> ''`,
  },
  {
    name: 'Answers by day, on a server in another zone',
    asked: { view: 'bi.answers', query: { metrics: ['row_count'], columns: ['answered_date'] } },
    truth: `select ${ms(`date_trunc('day', (r.payload ->> 'fecha')::timestamptz at time zone 'UTC')`)} as answered_date, count(*) as value
      from ${now('respuestas')} group by 1`,
  },
  {
    name: 'Visits of bots at the end of each week',
    asked: {
      view: 'bi_history.crawl_health',
      query: {
        metrics: ['sum_visit_count_7_days_week_end'],
        columns: ['run_date'],
        filters: [{ col: 'is_week_end', op: 'IS TRUE', val: null }],
      },
    },
    truth: `select ${ms('s.run_date')} as run_date, sum(${number('visitas7d')}) as value
      from (
        select max(run_date) as run_date from sync.slice where stream = 'crawl' and completed_at is not null
        group by date_trunc('week', run_date::timestamp)
      ) as s
      join snapshot.record as r on r.stream = 'crawl' and r.run_date <= s.run_date and s.run_date < r.until
      group by 1`,
  },
];
