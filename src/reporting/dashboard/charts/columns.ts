// The columns of the statements: their kinds and names. A column means the same everywhere.
import type { Words } from './chart.ts';

/**
 * Way to write a column. `score`: 0 to 100; `rate`: 0 to 1, shown as percent; `points` and `rate_change`: changes of a
 * score and a rate; `amount`: money, with every digit; `level`: a whole number for sorting; `word`: the API's word in
 * the reader's language; `verdict`: rose, fell or usual; `line`: values between spaces, drawn small; `url`: an address
 * that opens; `key`: not shown.
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

const known: Readonly<Record<string, readonly [kind: ColumnKind, label: Words]>> = {
  action: ['text', 'Action'],
  action_id: ['key', 'Action'],
  action_type: ['word', 'Kind'],
  after_value: ['number', 'After'],
  ai_price_amount: ['amount', 'Price AI says'],
  alert_count: ['number', 'Open alerts'],
  alert_date: ['date', 'Date'],
  alert_dates: ['key', 'Since'],
  alert_type: ['word', 'What'],
  alerts_en: ['text', 'Which alerts'],
  alerts_es: ['text', 'Which alerts'],
  answer_count: ['number', 'Answers'],
  answer_position: ['level', 'Position'],
  answer_text: ['text', 'Answer'],
  answered_date: ['date', 'Date'],
  api_reasons: ['text', 'Reasons stated'],
  as_of_date: ['date', 'As of'],
  attribute: ['text', 'Attribute'],
  authority_score: ['score', 'Authority'],
  before_answer_count: ['number', 'Answers before'],
  before_known_count: ['number', 'Answers judged before'],
  before_mention_rate: ['rate', 'Named before'],
  before_mentioned_count: ['number', 'With the brand before'],
  before_value: ['number', 'Before'],
  bot: ['text', 'Bot'],
  bot_purpose: ['word', 'Purpose'],
  brand_name: ['text', 'Brand'],
  change: ['word', 'Change'],
  change_28d: ['points', 'AI Rank: change'],
  channel: ['word', 'Channel'],
  checked_date: ['date', 'Checked'],
  cited_pages: ['text', 'Pages cited'],
  citation_count: ['number', 'Citations'],
  claim: ['text', 'Claim'],
  client_key: ['key', 'Key'],
  client_name: ['text', 'Client'],
  client_sector: ['text', 'Sector'],
  competitor_name: ['text', 'Brand'],
  conclusion: ['text', 'Conclusion'],
  confidence_rate: ['rate', 'Confidence'],
  crawl_status: ['word', 'Status'],
  created_date: ['date', 'Created'],
  currency_code: ['text', 'Currency'],
  data_date: ['date', 'Data of'],
  date: ['date', 'Date'],
  date_28d: ['date', '28 days: since'],
  demand_unit: ['word', 'Unit of demand'],
  demand_value: ['number', 'Demand'],
  difference_rate: ['rate', 'Differs by'],
  dimension: ['word', 'Dimension'],
  domain: ['text', 'Domain'],
  domain_count: ['key', 'Domains'],
  engine: ['word', 'Engine'],
  engines: ['text', 'Engines'],
  error_count: ['number', 'Errors'],
  error_rate: ['rate', 'Errors'],
  excluded_reason: ['word', 'Why in no trend'],
  expectation_metric: ['word', 'Metric'],
  expected_from_value: ['number', 'Expected from'],
  expected_to_value: ['number', 'Expected to'],
  expected_value: ['number', 'Expected'],
  experiment_id: ['key', 'Experiment'],
  fact: ['text', 'Fact'],
  first_seen_date: ['date', 'First cited'],
  gained_date: ['date', 'Gained'],
  gap_count: ['number', 'Rivals have more'],
  gap_domain_count: ['key', 'Domains'],
  high_rate: ['rate', 'At most'],
  hypothesis: ['text', 'Hypothesis'],
  impact_points: ['points', 'Impact stated'],
  interval_basis: ['word', 'Interval by'],
  is_gap: ['flag', 'Rivals more often'],
  is_mentioned: ['flag', 'Names the brand'],
  is_own: ['flag', 'Own'],
  judged_domain_count: ['key', 'Domains'],
  judged_page_count: ['key', 'Pages'],
  known_count: ['number', 'Answers judged'],
  last_run_date: ['date', 'Data of'],
  last_seen_date: ['date', 'Last cited'],
  last_visit_date: ['date', 'Last visit'],
  late_count: ['number', 'Routes not up to date'],
  late_routes: ['text', 'Which routes'],
  low_rate: ['rate', 'At least'],
  lower_score: ['score', 'At least'],
  mean_response_ms: ['number', 'Mean response, ms'],
  mention_change: ['rate_change', 'Named: change'],
  mention_count: ['number', 'Mentions'],
  mention_direction: ['verdict', 'Named, in 28 days'],
  mention_from_date: ['date', 'Answers from'],
  mention_high_line: ['key', 'At most'],
  mention_line: ['line', 'By week'],
  mention_low_line: ['key', 'At least'],
  mention_rate: ['rate', 'Named in'],
  mention_to_date: ['date', 'Answers to'],
  mention_weeks: ['key', 'Weeks'],
  mentioned_count: ['number', 'With the brand'],
  message: ['text', 'Message'],
  method: ['text', 'Method'],
  metric: ['word', 'Metric'],
  need: ['word', 'Why'],
  not_available_count: ['number', 'Not shown by the engine'],
  not_seen_count: ['number', 'Not seen'],
  never_domain_count: ['key', 'Domains'],
  now_known_count: ['number', 'Answers judged, 28 days'],
  now_mentioned_count: ['number', 'With the brand, 28 days'],
  observed_value: ['number', 'Observed'],
  opportunity_reason: ['text', 'Reason'],
  opportunity_score: ['score', 'Opportunity'],
  opportunity_type: ['word', 'Opportunity'],
  order_count: ['number', 'Orders'],
  own_page_count: ['key', 'Own pages'],
  page_count: ['key', 'Pages'],
  page_url: ['url', 'Page'],
  path: ['text', 'Path'],
  period: ['word', 'Period'],
  period_end_date: ['date', 'Period to'],
  period_start_date: ['date', 'Period from'],
  phrase: ['text', 'Phrase'],
  polarity: ['word', 'Polarity'],
  position: ['level', 'Position'],
  postponed_until_date: ['date', 'Postponed until'],
  presence_rate: ['rate', 'Presence stated'],
  price_amount: ['amount', 'Own price'],
  priority: ['word', 'Priority'],
  priority_level: ['level', 'Priority'],
  product_id: ['key', 'Identifier'],
  question: ['text', 'Question'],
  question_count: ['number', 'Questions'],
  question_known_count: ['number', 'Answers judged'],
  question_mentioned_count: ['number', 'With the brand'],
  question_rate: ['rate', 'Named in'],
  questions_added: ['number', 'Questions added'],
  questions_dropped: ['number', 'Questions dropped'],
  rank_direction: ['verdict', 'AI Rank, in 28 days'],
  render: ['word', 'Rendering'],
  result_reading: ['word', 'Read as'],
  revenue_amount: ['amount', 'Revenue'],
  rival_citation_count: ['number', 'Citations of rivals'],
  rivals: ['text', 'Named instead'],
  route_count: ['number', 'Routes'],
  rivals_of: ['text', 'Rivals of'],
  run_date: ['date', 'Data of'],
  score: ['score', 'AI Rank'],
  rank_since_date: ['date', 'AI Rank since'],
  score_28d: ['score', 'AI Rank 28 days before'],
  score_high: ['score', 'At most'],
  score_low: ['score', 'At least'],
  seen_count: ['number', 'Seen'],
  seen_rate: ['rate', 'Seen in'],
  session_count: ['number', 'Sessions'],
  share_of_voice_rate: ['rate', 'Share of all mentions'],
  share_rate: ['rate', 'Answers that name it'],
  sku: ['text', 'SKU'],
  source: ['text', 'Route'],
  source_type: ['word', 'Type'],
  status: ['word', 'Status'],
  status_since_date: ['date', 'Since'],
  surface: ['word', 'Surface'],
  title: ['text', 'Title'],
  total_amount: ['key', 'Sum'],
  unknown_count: ['number', 'Not known'],
  upper_score: ['score', 'At most'],
  usual_change: ['score', 'AI Rank: clear from'],
  usual_mention_change: ['rate', 'Named: clear from'],
  verdict: ['word', 'Verdict'],
  visit_count: ['number', 'Visits'],
  week_date: ['date', 'Week of'],
  win_rate: ['rate', 'Recommended'],
  window_days: ['number', 'Days'],
  window_end_date: ['date', 'To'],
  window_start_date: ['date', 'From'],
};

/** @throws Error for a column without words here, which is a fault of the statement, not of the data */
export function columnOf(name: string): Column {
  const found = known[name];
  if (found === undefined) throw new Error(`The column ${name} has no words in columns.ts`);
  const [kind, label] = found;
  return { name, kind, label };
}
