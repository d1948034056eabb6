// The charts that a person clicks together first, each by a saved measure of a dataset, with what it must show: computed
// from stored payloads, by statements that know nothing of the views. Of a demo of four run dates.

export interface Chart {
  readonly question: string;
  readonly view: string;
  /** A saved measure of its dataset. */
  readonly measure: string;
  /** Columns; a date is shown as milliseconds since 1970. */
  readonly by: readonly string[];
  readonly where?: readonly { readonly col: string; readonly op: string; readonly val: unknown }[];
  /** What the filter of a dashboard says of the time. */
  readonly range?: string;
  /** Columns as in `by`, and `value`; null: the tool must show nothing, as nothing is right. */
  readonly truth: string;
}

/** The records of a stream as they were on each run date. */
const daily = (stream: string) => `(
  select d.day, r.client_id, r.payload
  from (select distinct run_date as day from sync.slice where stream = '${stream}' and completed_at is not null) as d
  join snapshot.record as r on r.stream = '${stream}' and r.run_date <= d.day and d.day < r.until
) as r`;

/** As they are now. */
const now = (stream: string) => `snapshot.record as r where r.stream = '${stream}' and r.until = 'infinity'`;

const client = `coalesce(r.payload ->> 'cliente', '')`;
const number = (field: string) => `(r.payload ->> '${field}')::numeric`;
const ms = (date: string) => `(extract(epoch from ${date}) * 1000)::bigint`;

/** The newest point that may be compared of each client, of its newest method. */
const points = `(
  select r.client_id, r.payload ->> 'metodo' as method, (r.payload ->> 'fecha')::date as date, ${number('puntuacion')} as score,
    max(r.payload ->> 'metodo') over (partition by r.client_id) as current
  from ${now('visibility_history')} and (r.payload ->> 'comparable')::boolean
) as p`;

export const charts: readonly Chart[] = [
  {
    question: 'AI Rank now by client',
    view: 'bi.rank_latest',
    measure: 'avg_score',
    by: ['client_id'],
    truth: `select distinct on (client_id) client_id, score as value from ${points} where method = current and client_id <> ''
      order by client_id, date desc`,
  },
  {
    question: 'the same, in a dashboard that is filtered by "last day"',
    view: 'bi.rank_latest',
    measure: 'row_count',
    by: [],
    range: 'Last day',
    truth: `select count(distinct client_id) as value from ${points} where client_id <> ''`,
  },
  {
    question: 'AI Rank over all dates, by client',
    view: 'bi.rank_trend',
    measure: 'avg_score',
    by: ['client_id'],
    truth: `select client_id, avg(score) as value from ${points} where method = current and client_id <> '' group by 1`,
  },
  {
    question: 'revenue in euros by client, as it is now, of all run dates',
    view: 'bi_history.revenue',
    measure: 'sum_revenue_amount_now',
    by: ['client_id'],
    where: [{ col: 'currency_code', op: '==', val: 'EUR' }],
    truth: `select ${client} as client_id, sum(${number('importe')}) as value
      from ${now('revenue')} and r.payload ->> 'moneda' = 'EUR' group by 1`,
  },
  {
    question: 'revenue of the period, by currency',
    view: 'bi.revenue',
    measure: 'sum_revenue_amount',
    by: ['currency_code'],
    truth: `select r.payload ->> 'moneda' as currency_code, sum(${number('importe')}) as value from ${now('revenue')} group by 1`,
  },
  {
    question: 'revenue of all currencies in one number',
    view: 'bi.revenue',
    measure: 'sum_revenue_amount',
    by: [],
    truth: 'select null::numeric as value',
  },
  {
    question: 'visits of bots now, of all run dates',
    view: 'bi_history.crawl_health',
    measure: 'sum_visit_count_now',
    by: ['bot'],
    truth: `select r.payload ->> 'bot' as bot, sum(${number('visitas7d')}) as value from ${now('crawl')} group by 1`,
  },
  {
    question: 'citations of a domain now, of all run dates',
    view: 'bi_history.sources',
    measure: 'sum_citation_count_now',
    by: ['domain'],
    truth: `select r.payload ->> 'dominio' as domain, sum(${number('citas')}) as value from ${now('sources')} group by 1`,
  },
  {
    question: 'answers that name us, by client',
    view: 'bi.answers',
    measure: 'share_is_mentioned',
    by: ['client_id'],
    truth: `select ${client} as client_id, avg((r.payload ->> 'menciona')::boolean::integer) as value from ${now('respuestas')} group by 1`,
  },
  {
    question: 'answers by day, on a server in another zone',
    view: 'bi.answers',
    measure: 'row_count',
    by: ['answered_date'],
    truth: `select ${ms(`date_trunc('day', (r.payload ->> 'fecha')::timestamptz at time zone 'UTC')`)} as answered_date, count(*) as value
      from ${now('respuestas')} group by 1`,
  },
  {
    question: 'citations by engine',
    view: 'bi.citation_events',
    measure: 'row_count',
    by: ['engine'],
    truth: `select r.payload ->> 'motor' as engine, count(*) as value from ${now('citas')} group by 1`,
  },
  {
    question: 'presence of the questions, by intent',
    view: 'bi.prompts',
    measure: 'avg_presence_rate',
    by: ['intent'],
    truth: `select r.payload ->> 'intencion' as intent, avg(${number('presencia')}) as value from ${now('prompts')} group by 1`,
  },
  {
    question: 'the same by engine, of all weeks together',
    view: 'bi.mention_rates',
    measure: 'all_mention_rate',
    by: ['engine'],
    truth: `select r.payload ->> 'motor' as engine, avg((r.payload ->> 'menciona')::boolean::integer) as value from ${now('respuestas')} group by 1`,
  },
  {
    question: 'share of answers that name a rival, by week',
    view: 'bi_history.share_of_voice',
    measure: 'avg_share_rate_week_end',
    by: ['competitor_name'],
    where: [{ col: 'is_own', op: 'IS FALSE', val: null }],
    truth: `select r.payload ->> 'nombre' as competitor_name, avg(${number('menciones_por_100')}) / 100 as value from ${daily('competitors')} group by 1`,
  },
  {
    question: 'predictions by how far they look',
    view: 'bi.predictions',
    measure: 'row_count',
    by: ['horizon_days'],
    truth: `select (p ->> 'fecha')::date - (r.payload ->> 'fecha')::date as horizon_days, count(*) as value
      from snapshot.record as r cross join jsonb_array_elements(r.payload -> 'puntos') as p
      where r.stream = 'prediccion' and r.until = 'infinity' group by 1`,
  },
];
