// What each column of the statements is: how it is written, and what it is called. A column means the same everywhere.
import type { Words } from './chart.ts';

/**
 * How a column is written. `score`: 0 to 100; `rate`: 0 to 1, shown as percent; `points` and `rate_change`: what a score
 * and a rate changed by; `amount`: money, every digit shown; `level`: a whole number that sorts; `word`: of the API, in
 * the reader's language; `verdict`: rose, fell or usual; `line`: values by spaces, drawn small; `url`: an address that opens; `key`: not shown.
 */
export type ColumnKind =
  | 'date'
  | 'number'
  | 'score'
  | 'rate'
  | 'points'
  | 'rate_change'
  | 'amount'
  | 'level'
  | 'text'
  | 'flag'
  | 'word'
  | 'verdict'
  | 'line'
  | 'url'
  | 'key';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly label: Words;
}

const known: Readonly<Record<string, readonly [kind: ColumnKind, en: string, es: string]>> = {
  action: ['text', 'Action', 'Acción'],
  action_id: ['key', 'Action', 'Acción'],
  action_type: ['word', 'Kind', 'Tipo'],
  after_value: ['number', 'After', 'Después'],
  ai_price_amount: ['amount', 'Price AI says', 'Precio según la IA'],
  alert_count: ['number', 'Open alerts', 'Alertas abiertas'],
  alert_date: ['date', 'Date', 'Fecha'],
  alert_dates: ['key', 'Since', 'Desde'],
  alert_type: ['word', 'What', 'Qué'],
  alerts_en: ['text', 'Which alerts', 'Qué alertas'],
  alerts_es: ['text', 'Which alerts', 'Qué alertas'],
  answer_count: ['number', 'Answers', 'Respuestas'],
  answer_position: ['level', 'Position', 'Posición'],
  answer_text: ['text', 'Answer', 'Respuesta'],
  answered_date: ['date', 'Date', 'Fecha'],
  api_reasons: ['text', 'Reasons stated', 'Motivos indicados'],
  as_of_date: ['date', 'As of', 'A fecha de'],
  attribute: ['text', 'Attribute', 'Atributo'],
  authority_score: ['score', 'Authority', 'Autoridad'],
  before_answer_count: ['number', 'Answers before', 'Respuestas antes'],
  before_known_count: ['number', 'Answers judged before', 'Respuestas valoradas antes'],
  before_mention_rate: ['rate', 'Named before', 'Nombrada antes'],
  before_mentioned_count: ['number', 'With the brand before', 'Con la marca antes'],
  before_value: ['number', 'Before', 'Antes'],
  bot: ['text', 'Bot', 'Bot'],
  bot_purpose: ['word', 'Purpose', 'Finalidad'],
  brand_name: ['text', 'Brand', 'Marca'],
  change: ['word', 'Change', 'Cambio'],
  change_28d: ['points', 'AI Rank: change', 'AI Rank: cambio'],
  channel: ['word', 'Channel', 'Canal'],
  checked_date: ['date', 'Checked', 'Comprobada'],
  cited_pages: ['text', 'Pages cited', 'Páginas citadas'],
  citation_count: ['number', 'Citations', 'Citas'],
  claim: ['text', 'Claim', 'Afirmación'],
  client_key: ['key', 'Key', 'Clave'],
  client_name: ['text', 'Client', 'Cliente'],
  client_sector: ['text', 'Sector', 'Sector'],
  competitor_name: ['text', 'Brand', 'Marca'],
  conclusion: ['text', 'Conclusion', 'Conclusión'],
  confidence_rate: ['rate', 'Confidence', 'Confianza'],
  crawl_status: ['word', 'Status', 'Estado'],
  created_date: ['date', 'Created', 'Creada'],
  currency_code: ['text', 'Currency', 'Moneda'],
  data_date: ['date', 'Data of', 'Datos del'],
  date: ['date', 'Date', 'Fecha'],
  date_28d: ['date', '28 days: since', '28 días: desde'],
  demand_unit: ['word', 'Unit of demand', 'Unidad de la demanda'],
  demand_value: ['number', 'Demand', 'Demanda'],
  difference_rate: ['rate', 'Differs by', 'Difiere en'],
  dimension: ['word', 'Dimension', 'Dimensión'],
  domain: ['text', 'Domain', 'Dominio'],
  domain_count: ['key', 'Domains', 'Dominios'],
  engine: ['word', 'Engine', 'Motor'],
  engines: ['text', 'Engines', 'Motores'],
  error_count: ['number', 'Errors', 'Errores'],
  error_rate: ['rate', 'Errors', 'Errores'],
  excluded_reason: ['word', 'Why in no trend', 'Por qué no cuenta en la tendencia'],
  expectation_metric: ['word', 'Metric', 'Métrica'],
  expected_from_value: ['number', 'Expected from', 'Esperado desde'],
  expected_to_value: ['number', 'Expected to', 'Esperado hasta'],
  expected_value: ['number', 'Expected', 'Esperado'],
  experiment_id: ['key', 'Experiment', 'Experimento'],
  fact: ['text', 'Fact', 'Dato'],
  first_seen_date: ['date', 'First cited', 'Primera cita'],
  gained_date: ['date', 'Gained', 'Ganada'],
  gap_count: ['number', 'Rivals have more', 'Ventaja de rivales'],
  gap_domain_count: ['key', 'Domains', 'Dominios'],
  high_rate: ['rate', 'At most', 'Como mucho'],
  hypothesis: ['text', 'Hypothesis', 'Hipótesis'],
  impact_points: ['points', 'Impact stated', 'Impacto indicado'],
  interval_basis: ['word', 'Interval by', 'Intervalo según'],
  is_gap: ['flag', 'Rivals more often', 'Más los rivales'],
  is_mentioned: ['flag', 'Names the brand', 'Nombra la marca'],
  is_own: ['flag', 'Own', 'Propia'],
  judged_domain_count: ['key', 'Domains', 'Dominios'],
  judged_page_count: ['key', 'Pages', 'Páginas'],
  known_count: ['number', 'Answers judged', 'Respuestas valoradas'],
  last_run_date: ['date', 'Data of', 'Datos del'],
  last_seen_date: ['date', 'Last cited', 'Última cita'],
  last_visit_date: ['date', 'Last visit', 'Última visita'],
  late_count: ['number', 'Routes not up to date', 'Rutas no al día'],
  low_rate: ['rate', 'At least', 'Como poco'],
  lower_score: ['score', 'At least', 'Como poco'],
  mean_response_ms: ['number', 'Mean response, ms', 'Respuesta media, ms'],
  mention_change: ['rate_change', 'Named: change', 'Nombrada: cambio'],
  mention_count: ['number', 'Mentions', 'Menciones'],
  mention_direction: ['verdict', 'Named, in 28 days', 'Nombrada, en 28 días'],
  mention_from_date: ['date', 'Answers from', 'Respuestas desde'],
  mention_high_line: ['key', 'At most', 'Como mucho'],
  mention_line: ['line', 'By week', 'Por semana'],
  mention_low_line: ['key', 'At least', 'Como poco'],
  mention_rate: ['rate', 'Named in', 'Nombrada en'],
  mention_to_date: ['date', 'Answers to', 'Respuestas hasta'],
  mention_weeks: ['key', 'Weeks', 'Semanas'],
  mentioned_count: ['number', 'With the brand', 'Con la marca'],
  message: ['text', 'Message', 'Mensaje'],
  method: ['text', 'Method', 'Método'],
  metric: ['word', 'Metric', 'Métrica'],
  need: ['word', 'Why', 'Por qué'],
  not_available_count: ['number', 'Not shown by the engine', 'No lo muestra el motor'],
  not_seen_count: ['number', 'Not seen', 'No vistas'],
  never_domain_count: ['key', 'Domains', 'Dominios'],
  now_known_count: ['number', 'Answers judged, 28 days', 'Respuestas valoradas, 28 días'],
  now_mentioned_count: ['number', 'With the brand, 28 days', 'Con la marca, 28 días'],
  observed_value: ['number', 'Observed', 'Observado'],
  opportunity_reason: ['text', 'Reason', 'Motivo'],
  opportunity_score: ['score', 'Opportunity', 'Oportunidad'],
  opportunity_type: ['word', 'Opportunity', 'Oportunidad'],
  order_count: ['number', 'Orders', 'Pedidos'],
  own_page_count: ['key', 'Own pages', 'Páginas propias'],
  page_count: ['key', 'Pages', 'Páginas'],
  page_url: ['url', 'Page', 'Página'],
  path: ['text', 'Path', 'Ruta'],
  period: ['word', 'Period', 'Periodo'],
  period_end_date: ['date', 'Period to', 'Periodo hasta'],
  period_start_date: ['date', 'Period from', 'Periodo desde'],
  phrase: ['text', 'Phrase', 'Frase'],
  polarity: ['word', 'Polarity', 'Polaridad'],
  position: ['level', 'Position', 'Posición'],
  postponed_until_date: ['date', 'Postponed until', 'Pospuesta hasta'],
  presence_rate: ['rate', 'Presence stated', 'Presencia indicada'],
  price_amount: ['amount', 'Own price', 'Precio propio'],
  priority: ['word', 'Priority', 'Prioridad'],
  priority_level: ['level', 'Priority', 'Prioridad'],
  product_id: ['key', 'Identifier', 'Identificador'],
  question: ['text', 'Question', 'Pregunta'],
  question_count: ['number', 'Questions', 'Preguntas'],
  question_known_count: ['number', 'Answers judged', 'Respuestas valoradas'],
  question_mentioned_count: ['number', 'With the brand', 'Con la marca'],
  question_rate: ['rate', 'Named in', 'Nombrada en'],
  questions_added: ['number', 'Questions added', 'Preguntas nuevas'],
  questions_dropped: ['number', 'Questions dropped', 'Preguntas retiradas'],
  rank_direction: ['verdict', 'AI Rank, in 28 days', 'AI Rank, en 28 días'],
  render: ['word', 'Rendering', 'Renderizado'],
  result_reading: ['word', 'Read as', 'Lectura'],
  revenue_amount: ['amount', 'Revenue', 'Ingresos'],
  rival_citation_count: ['number', 'Citations of rivals', 'Citas de rivales'],
  rivals: ['text', 'Named instead', 'Se nombra a'],
  route_count: ['number', 'Routes', 'Rutas'],
  run_date: ['date', 'Data of', 'Datos del'],
  score: ['score', 'AI Rank', 'AI Rank'],
  score_28d: ['score', 'AI Rank 28 days before', 'AI Rank 28 días antes'],
  score_high: ['score', 'At most', 'Como mucho'],
  score_low: ['score', 'At least', 'Como poco'],
  seen_count: ['number', 'Seen', 'Vistas'],
  seen_rate: ['rate', 'Seen in', 'Vista en'],
  session_count: ['number', 'Sessions', 'Sesiones'],
  share_of_voice_rate: ['rate', 'Share of all mentions', 'Proporción de menciones'],
  share_rate: ['rate', 'Answers that name it', 'Respuestas que la nombran'],
  sku: ['text', 'SKU', 'SKU'],
  source: ['text', 'Route', 'Ruta'],
  source_type: ['word', 'Type', 'Tipo'],
  status: ['word', 'Status', 'Estado'],
  status_since_date: ['date', 'Since', 'Desde'],
  surface: ['word', 'Surface', 'Superficie'],
  title: ['text', 'Title', 'Título'],
  total_amount: ['key', 'Sum', 'Suma'],
  unknown_count: ['number', 'Not known', 'Sin dato'],
  upper_score: ['score', 'At most', 'Como mucho'],
  usual_change: ['score', 'AI Rank: clear from', 'AI Rank: claro desde'],
  usual_mention_change: ['rate', 'Named: clear from', 'Nombrada: claro desde'],
  verdict: ['word', 'Verdict', 'Veredicto'],
  visit_count: ['number', 'Visits', 'Visitas'],
  week_date: ['date', 'Week of', 'Semana del'],
  win_rate: ['rate', 'Recommended', 'Recomendado'],
  window_days: ['number', 'Days', 'Días'],
  window_end_date: ['date', 'To', 'Hasta'],
  window_start_date: ['date', 'From', 'Desde'],
};

/** @throws Error for a column that has no words here: a fault of the statement, and none of the data */
export function columnOf(name: string): Column {
  const found = known[name];
  if (found === undefined) throw new Error(`The column ${name} has no words in columns.ts`);
  const [kind, en, es] = found;
  return { name, kind, label: { en, es } };
}
