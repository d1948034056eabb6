// The charts that a person clicks together first, each by a saved measure of a dataset, with what it must show: computed
// from stored payloads, by statements that know nothing of the views. Of a demo of six run dates.

interface Chart {
  readonly question: string;
  readonly view: string;
  /** A saved measure of its dataset. */
  readonly measure: string;
  /** Columns; a date is shown as milliseconds since 1970. */
  readonly by: readonly string[];
  readonly where?: readonly { readonly col: string; readonly op: string; readonly val: unknown }[];
  /** Time range that the filter of a dashboard sets. */
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

const named = `(select r.payload ->> 'id' as client_id, r.payload ->> 'nombre' as client_name from ${now('clientes')}) as c`;

/** The newest point that may be compared of each client, of its newest method. */
const points = `(
  select r.client_id, r.payload ->> 'metodo' as method, (r.payload ->> 'fecha')::date as date, ${number('puntuacion')} as score,
    max(r.payload ->> 'metodo') over (partition by r.client_id) as current
  from ${now('visibility_history')} and (r.payload ->> 'comparable')::boolean
) as p`;

const text = (field: string) => `r.payload ->> '${field}'`;
const share = (field: string) => `avg((r.payload ->> '${field}')::boolean::integer)`;
const sum = (field: string) => `sum(${number(field)})`;
const mean = (field: string) => `avg(${number(field)})`;
const count = 'count(*)';

/** View, measure, column and stream; what the column is in its records, and what the figure is of them. */
type Plain = readonly [names: string, column: string, value: string];

const plain: readonly Plain[] = [
  ['sources sum_citation_count_28_days source_type sources', text('tipo'), sum('citas')],
  ['sources sum_citation_count_28_days client_id sources', client, sum('citas')],
  ['sources sum_rival_citation_count_28_days domain sources', text('dominio'), sum('citasRivales')],
  ['sources avg_authority_score source_type sources', text('tipo'), mean('autoridad')],
  ['sources avg_stated_gap source_type sources', text('tipo'), mean('brecha')],
  ['sources row_count source_type sources', text('tipo'), count],
  ['crawl_health sum_visit_count_7_days bot crawl', text('bot'), sum('visitas7d')],
  ['crawl_health sum_visit_count_7_days bot_purpose crawl', text('proposito'), sum('visitas7d')],
  ['crawl_health sum_visit_count_7_days client_id crawl', client, sum('visitas7d')],
  ['crawl_health row_count status crawl', text('estado'), count],
  ...[
    ['bot', 'bot'],
    ['bot_purpose', 'proposito'],
  ].map(
    ([by, field = '']): Plain => [
      `crawl_health avg_error_rate ${by} crawl`,
      text(field),
      `sum(${number('errores')} * ${number('visitas7d')}) / sum(${number('visitas7d')}) filter (where ${text('errores')} is not null)`,
    ],
  ),
  ['prompts row_count intent prompts', text('intencion'), count],
  ['prompts row_count language prompts', text('idioma'), count],
  ['prompts share_is_active intent prompts', text('intencion'), share('activa')],
  ['prompts avg_presence_rate language prompts', text('idioma'), mean('presencia')],
  ['prompts avg_presence_rate intent prompts', text('intencion'), mean('presencia')],
  ['prompts avg_presence_rate client_id prompts', client, mean('presencia')],
  ['prompts avg_mean_position intent prompts', text('intencion'), mean('posicionMedia')],
  ['products row_count currency_code products', text('moneda'), count],
  ['products avg_price_amount currency_code products', text('moneda'), mean('precio')],
  ['products avg_presence_rate client_id products', 'r.client_id', mean('presencia')],
  ['products share_is_measured currency_code products', text('moneda'), share('medido')],
  ['answers row_count engine respuestas', text('motor'), count],
  ['answers row_count model respuestas', text('modelo'), count],
  ['answers row_count client_id respuestas', client, count],
  ['answers share_is_mentioned engine respuestas', text('motor'), share('menciona')],
  ['answers share_is_mentioned client_id respuestas', client, share('menciona')],
  ['answers avg_answer_position engine respuestas', text('motor'), mean('posicion')],
  ['citation_events row_count domain citas', text('dominio'), count],
  ['citation_events row_count engine citas', text('motor'), count],
  ['citation_events row_count client_id citas', client, count],
  ['cited_pages sum_citation_count_28_days domain citations', text('dominio'), sum('citas')],
  ['cited_pages sum_citation_count_28_days client_id citations', client, sum('citas')],
  [
    'perception_attributes sum_mention_count_28_days polarity perception',
    text('polaridad'),
    sum('menciones'),
  ],
  [
    'perception_attributes sum_mention_count_28_days attribute perception',
    text('atributo'),
    sum('menciones'),
  ],
  ['perception_attributes avg_confidence_rate polarity perception', text('polaridad'), mean('confianza')],
  ['shopping sum_link_count destination shopping', text('destino'), sum('enlaces')],
  ['shopping sum_link_count merchant shopping', text('merchant'), sum('enlaces')],
  ['shopping avg_share_rate merchant shopping', text('merchant'), mean('cuota')],
  ['shopping share_is_recommended merchant shopping', text('merchant'), share('recomendado')],
  ['actions row_count status actions', text('estado'), count],
  ['actions row_count action_type actions', text('tipo'), count],
  ['actions row_count client_id actions', client, count],
  [
    'actions avg_impact_points action_type actions',
    text('tipo'),
    `avg((r.payload -> 'impacto' ->> 'puntos')::numeric)`,
  ],
  ['action_list row_count status acciones', text('estado'), count],
  ['experiments row_count status experiments', text('estado'), count],
  ['experiments row_count action_type experiments', text('tipo_accion'), count],
  ['experiments row_count metric experiments', text('metrica'), count],
  ['measurements row_count status mediciones', text('estado'), count],
  ['measurements row_count measurement_type mediciones', text('tipo'), count],
  ['measurements share_is_comparable method mediciones', text('metodo'), share('comparable')],
  ['optimizer_versions row_count status optimizer', text('estado'), count],
  ['prompt_gaps row_count priority prompt_gaps', text('prioridad'), count],
  ['prompt_gaps avg_opportunity_score priority prompt_gaps', text('prioridad'), mean('oportunidad')],
  ['prompt_clusters avg_presence_rate cluster_name prompt_clusters', text('nombre'), mean('presencia')],
  ['benchmark row_count cut benchmark', text('corte'), count],
  ['triggers_fired row_count trigger_name triggers', text('disparador'), count],
  ['revenue sum_order_count channel revenue', text('canal'), sum('pedidos')],
  ['revenue sum_session_count channel revenue', text('canal'), sum('sesiones')],
  ['revenue sum_revenue_amount currency_code revenue', text('moneda'), sum('importe')],
  ['revenue_by_period sum_order_count channel revenue', text('canal'), sum('pedidos')],
  ['revenue_by_period sum_revenue_amount currency_code revenue', text('moneda'), sum('importe')],
  ['share_of_voice avg_movement competitor_name competitors', text('nombre'), mean('movimiento')],
];

function namedOf([names, column, value]: Plain) {
  const [view = '', measure = '', by = '', stream = ''] = names.split(' ');
  return { view, measure, by, stream, column, value };
}

/** Views that bi_history has too: charted now over all run dates, and at the end of each week by its date. */
const repeated = ['sources', 'crawl_health', 'prompts', 'perception_attributes', 'revenue', 'shopping'];

const first: readonly Chart[] = [
  ...plain.map(namedOf).map(({ view, measure, by, stream, column, value }) => ({
    question: `${view} by ${by}`,
    ...{ view: `bi.${view}`, measure, by: [by] },
    ...(view === 'share_of_voice' && { where: [{ col: 'is_own', op: 'IS FALSE', val: null }] }),
    truth: `select ${column} as ${by}, ${value} as value from ${now(stream)} group by 1`,
  })),
  ...repeated.flatMap((name) => {
    const row = plain.map(namedOf).find(({ view }) => view === name);
    if (row === undefined) return [];
    const { view, measure, by, stream, column, value } = row;
    const shared = { view: `bi_history.${view}` };
    return [
      {
        question: `${view} now by ${by}, of all run dates`,
        ...{ ...shared, measure: `${measure}_now`, by: [by] },
        truth: `select ${column} as ${by}, ${value} as value from ${now(stream)} group by 1`,
      },
      {
        question: `${view} at the end of each week`,
        ...{ ...shared, measure: `${measure}_week_end`, by: ['run_date'] },
        where: [{ col: 'is_week_end', op: 'IS TRUE', val: null }],
        truth: `select ${ms('r.day')} as run_date, ${value} as value from ${daily(stream)}
          where not exists (
            select from sync.slice as s where s.stream = '${stream}' and s.completed_at is not null
              and s.run_date > r.day and s.run_date < date_trunc('week', r.day::timestamp) + interval '7 days'
          )
          group by 1`,
      },
    ];
  }),
  {
    question: 'clients',
    ...{ view: 'bi.clients', measure: 'row_count', by: [] },
    truth: `select count(*) as value from ${now('clientes')}`,
  },
  {
    question: 'clients by country',
    ...{ view: 'bi.clients', measure: 'row_count', by: ['client_country'] },
    where: [{ col: 'is_account', op: 'IS FALSE', val: null }],
    truth: `select r.payload -> 'ubicacion' ->> 'pais' as client_country, count(*) as value from ${now('clientes')} group by 1`,
  },
  {
    question: 'AI Rank by sector',
    ...{ view: 'bi.rank_latest', measure: 'avg_score', by: ['client_sector'] },
    truth: `select c.sector as client_sector, avg(l.score) as value
      from (select distinct on (client_id) client_id, score from ${points} where method = current order by client_id, date desc) as l
      join (select r.payload ->> 'id' as client_id, r.payload ->> 'sector' as sector from ${now('clientes')}) as c using (client_id)
      group by 1`,
  },
];

export const charts: readonly Chart[] = [
  ...first,
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
    question: 'revenue of all currencies in one number',
    view: 'bi.revenue',
    measure: 'sum_revenue_amount',
    by: [],
    truth: 'select null::numeric as value',
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
    question: 'the same by engine, of all weeks together',
    view: 'bi.mention_rates',
    measure: 'all_mention_rate',
    by: ['engine'],
    truth: `select r.payload ->> 'motor' as engine, avg((r.payload ->> 'menciona')::boolean::integer) as value from ${now('respuestas')} group by 1`,
  },
  {
    question: 'share of answers that name a rival now, of all run dates',
    view: 'bi_history.share_of_voice',
    measure: 'avg_share_rate_now',
    by: ['competitor_name'],
    where: [{ col: 'is_own', op: 'IS FALSE', val: null }],
    truth: `select r.payload ->> 'nombre' as competitor_name, avg(${number('menciones_por_100')}) / 100 as value from ${now('competitors')} group by 1`,
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

/** The charts of the dashboard by their names; the columns of a truth are in their order. */
export const dashboard: readonly Pick<Chart, 'question' | 'truth'>[] = [
  {
    question: 'AI Rank of all clients',
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
    question: 'AI Rank by client',
    truth: `select distinct on (c.client_name) c.client_name, score as value from ${points} join ${named} using (client_id)
      where method = current order by c.client_name, date desc`,
  },
  {
    question: 'Change in 28 days by client',
    truth: `select distinct on (c.client_name) c.client_name, p.score - (
        select score from ${points.replace(/ as p$/, ' as b')} where b.client_id = p.client_id and b.method = p.method
          and b.date between p.date - 41 and p.date - 28 order by b.date desc limit 1
      ) as value from ${points} join ${named} using (client_id) where method = current order by c.client_name, p.date desc`,
  },
  {
    question: 'Share of answers that name the brand, by engine and week',
    truth: `select ${ms(`date_trunc('week', (r.payload ->> 'fecha')::timestamptz at time zone 'UTC')`)} as week_date, r.payload ->> 'motor' as engine,
        avg((r.payload ->> 'menciona')::boolean::integer) as value
      from ${now('respuestas')} group by 1, 2`,
  },
  {
    question: 'Citations by domain',
    truth: `select r.payload ->> 'dominio' as domain, sum(${number('citas')}) as value from ${now('sources')} group by 1 order by 2 desc limit 15`,
  },
  {
    question: 'Visits of bots',
    truth: `select r.payload ->> 'bot' as bot, sum(${number('visitas7d')}) as value from ${now('crawl')} group by 1`,
  },
  {
    question: 'Revenue by month and currency',
    truth: `select ${ms(`date_trunc('month', (r.payload -> 'periodo' ->> 'desde')::date::timestamp)`)} as period_start_date,
        r.payload ->> 'moneda' as currency_code, sum(${number('importe')}) as value
      from ${now('revenue')} group by 1, 2`,
  },
  {
    question: 'Share of routes that are up to date',
    truth: `select coalesce(c.client_name, (select r.payload ->> 'empresa' from ${now('visibility')} and r.client_id = '')) as client_name,
        avg((s.run_date = (select max(run_date) from sync.slice))::integer) as value
      from (
        select distinct on (stream, client_id) client_id, run_date from sync.slice where completed_at is not null
        order by stream, client_id, run_date desc
      ) as s
      left join ${named} using (client_id)
      group by 1`,
  },
];
