// Where a client stands now: the AI Rank with its change, the position, and the actions by status.
import type { Chart, Column, DrawContext, Language, Row, Tile } from './chart.ts';
import { counted, cutText, formatDate, formatNumber } from './format.ts';
import { changeOf, unknownWord } from './unknown.ts';
import { cellsOf, newestDay } from './values.ts';

const columns: readonly Column[] = [
  {
    name: 'figure',
    kind: 'text',
    label: { en: 'Figure', es: 'Cifra' },
    words: {
      rank: { en: 'AI Rank', es: 'AI Rank' },
      position: { en: 'Position', es: 'Posición' },
      actions: { en: 'Actions', es: 'Acciones' },
    },
  },
  { name: 'detail', kind: 'text', label: { en: 'Method or status', es: 'Método o estado' } },
  { name: 'date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'value', kind: 'number', label: { en: 'Value', es: 'Valor' } },
  { name: 'change_7d', kind: 'number', label: { en: 'In 7 days', es: 'En 7 días' } },
  { name: 'change_28d', kind: 'number', label: { en: 'In 28 days', es: 'En 28 días' } },
  { name: 'date_7d', kind: 'date', label: { en: '7 days: since', es: '7 días: desde' } },
  { name: 'date_28d', kind: 'date', label: { en: '28 days: since', es: '28 días: desde' } },
];

const cells = cellsOf(columns);

const mostStatuses = 5;

export const rankFigures: Chart = {
  name: 'rank-figures',
  page: 'client',
  scope: 'client',
  views: ['bi.account_rank', 'bi.actions', 'bi.rank_latest', 'bi.rank_trend'],
  columns,
  // Of the AI Rank, where there is one: actions may be newer, and say nothing of it.
  asOf: (rows) => {
    const ranks = ofFigure(rows, 'rank');
    return newestDay((ranks.length > 0 ? ranks : rows).map((row) => cells.text(row, 'date')));
  },
  label: { en: 'Where it stands', es: 'Situación actual' },
  unit: {
    en: 'AI Rank, 0 to 100; position, 1 the first',
    es: 'AI Rank, de 0 a 100; posición, 1 la primera',
  },
  title: titleOf,
  note: {
    en: 'The newest figures, whatever the period. Changes are over 7 and over 28 days, and compare points of one method only.',
    es: 'Las cifras más recientes, sea cual sea el periodo. Los cambios son de 7 y de 28 días, y comparan puntos de un mismo método.',
  },
  draw: (rows, context) => [{ type: 'tiles', tiles: tiles(rows, context) }],
};

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const rank = ofFigure(rows, 'rank').find((row) => cells.number(row, 'value') !== null);
  const score = rank === undefined ? null : cells.number(rank, 'value');
  if (rank === undefined || score === null) {
    return `AI Rank: ${unknownWord(context, 'score')}`;
  }
  const changes = [changeSince(rank, '7d', language), changeSince(rank, '28d', language)].filter(
    (text) => text !== undefined,
  );
  const said = changes.length === 0 ? '' : `: ${changes.join(', ')}`;
  const value = formatNumber(score, language);
  return { en: `The AI Rank is ${value}${said}`, es: `El AI Rank es ${value}${said}` }[language];
}

/** `+1.2 points since 16 Nov 2026`. */
function changeSince(row: Row, days: '7d' | '28d', language: Language): string | undefined {
  const change = cells.number(row, `change_${days}`);
  if (change === null) return undefined;
  const [{ change: text, direction }, since] = [changeOf(change, language), sinceText(row, days, language)];
  if (direction === 'same') return `${text} ${since}`;
  return { en: `${text} points ${since}`, es: `${text} puntos ${since}` }[language];
}

function sinceText(row: Row, days: '7d' | '28d', language: Language): string {
  const date = formatDate(cells.text(row, `date_${days}`) ?? '', language);
  return { en: `since ${date}`, es: `desde el ${date}` }[language];
}

function ofFigure(rows: readonly Row[], figure: string): Row[] {
  return rows.filter((row) => cells.text(row, 'figure') === figure);
}

function tiles(rows: readonly Row[], context: DrawContext): Tile[] {
  const { language } = context;
  const ranks = ofFigure(rows, 'rank').flatMap((row) => rankTile(row, language) ?? []);
  const positions = ofFigure(rows, 'position').flatMap((row) => {
    const value = cells.number(row, 'value');
    const tile: Tile = {
      label: { en: 'Position', es: 'Posición' }[language],
      value: formatNumber(value ?? 0, language, 0),
      note: dateOf(row, language),
    };
    return value === null ? [] : [tile];
  });
  return [...ranks, ...positions, ...actionTiles(ofFigure(rows, 'actions'), context)];
}

function rankTile(row: Row, language: Language): Tile | undefined {
  const value = cells.number(row, 'value');
  if (value === null) return undefined;
  const week = cells.number(row, 'change_7d');
  const notes = [
    week === null ? undefined : sinceText(row, '7d', language),
    changeSince(row, '28d', language),
    dateOf(row, language),
  ];
  return {
    label: `AI Rank ${cutText(cells.text(row, 'detail') ?? '', 10)}`.trim(),
    value: formatNumber(value, language),
    ...(week !== null && changeOf(week, language)),
    note: notes.filter((one) => one !== undefined && one !== '').join(' · '),
  };
}

/** Which statuses mean that an action is open, the API does not say: each is counted under its own word. */
function actionTiles(rows: readonly Row[], context: DrawContext): Tile[] {
  const { language } = context;
  const none = unknownWord(context, 'status');
  const byStatus = rows.map((row) => ({
    status: cutText((cells.text(row, 'detail') ?? none).replaceAll('_', ' '), 30),
    count: cells.number(row, 'value') ?? 0,
  }));
  if (byStatus.length === 0) return [];
  const shown = byStatus.slice(0, mostStatuses).map(({ status, count }) => `${status} ${count}`);
  const rest = byStatus.length - shown.length;
  const more = { en: ['more status', 'more statuses'], es: ['estado más', 'estados más'] } as const;
  return [
    {
      label: { en: 'Actions', es: 'Acciones' }[language],
      value: formatNumber(
        byStatus.reduce((sum, { count }) => sum + count, 0),
        language,
        0,
      ),
      note: [...shown, ...(rest > 0 ? [counted(rest, more, language)] : [])].join(' · '),
    },
  ];
}

function dateOf(row: Row, language: Language): string {
  const date = cells.text(row, 'date');
  return date === null ? '' : formatDate(date, language);
}
