// What the frame of the pages says, in each language. Charts bring their own words.
import type { Language, PageName, Words } from '../charts/chart.ts';
import { formatDate } from '../charts/format.ts';
import type { MissedNights } from './page-data.ts';
import type { Span, Theme } from './page-state.ts';

export const pageLabels: Readonly<Record<PageName, Words>> = {
  portfolio: { en: 'Portfolio', es: 'Cartera' },
  client: { en: 'Client', es: 'Cliente' },
  questions: { en: 'Questions', es: 'Preguntas' },
  sources: { en: 'Sources', es: 'Fuentes' },
  business: { en: 'Business', es: 'Negocio' },
};

export const spanLabels: Readonly<Record<Span | 'own', Words>> = {
  '7': { en: 'Last 7 days', es: 'Últimos 7 días' },
  '28': { en: 'Last 28 days', es: 'Últimos 28 días' },
  '56': { en: 'Last 8 weeks', es: 'Últimas 8 semanas' },
  '90': { en: 'Last 90 days', es: 'Últimos 90 días' },
  '365': { en: 'Last 365 days', es: 'Últimos 365 días' },
  all: { en: 'All there is', es: 'Todo lo que hay' },
  own: { en: 'Own dates', es: 'Fechas propias' },
};

export const themeLabels: Readonly<Record<Theme, Words>> = {
  system: { en: 'As the system', es: 'Como el sistema' },
  light: { en: 'Light', es: 'Claro' },
  dark: { en: 'Dark', es: 'Oscuro' },
};

const words = {
  title: { en: 'AI visibility', es: 'Visibilidad en IA' },
  skip: { en: 'Skip to the figures', es: 'Saltar a los datos' },
  account: { en: 'Account', es: 'Cuenta' },
  client: { en: 'Client', es: 'Cliente' },
  wholeAccount: { en: 'The whole account', es: 'Toda la cuenta' },
  left: { en: 'left', es: 'se fue' },
  period: { en: 'Period', es: 'Periodo' },
  from: { en: 'From', es: 'Desde' },
  to: { en: 'To', es: 'Hasta' },
  language: { en: 'Language', es: 'Idioma' },
  theme: { en: 'Colours', es: 'Colores' },
  pages: { en: 'Pages', es: 'Páginas' },
  noSuchClient: {
    en: 'There is no such client here. Choose one above.',
    es: 'Aquí no hay ningún cliente así. Elija uno arriba.',
  },
  loading: { en: 'Reading the figures…', es: 'Leyendo los datos…' },
  failed: { en: 'Failed', es: 'Error' },
  failedWhy: {
    en: 'The figures of this chart could not be read. The others are not affected.',
    es: 'No se han podido leer los datos de este gráfico. Los demás no están afectados.',
  },
  pageFailed: { en: 'This page could not be read', es: 'No se ha podido leer esta página' },
  noAccess: {
    en: 'Open the address that airank dashboard --serve printed: each start has its own.',
    es: 'Abra la dirección que ha mostrado airank dashboard --serve: cada inicio tiene la suya.',
  },
  notHere: {
    en: 'The figures of this client are not in this file.',
    es: 'Los datos de este cliente no están en este archivo.',
  },
  noData: { en: 'No data', es: 'Sin datos' },
  noDataInPeriod: { en: 'No data in this period', es: 'Sin datos en este periodo' },
  nothingPublished: {
    en: 'Nothing is published yet. Run: airank sync',
    es: 'Todavía no hay nada publicado. Ejecute: airank sync',
  },
  notMappedPart: { en: 'Not shown, because not mapped:', es: 'No se muestra, por falta de asignación:' },
  sayWhere: { en: 'Say where they are:', es: 'Indique dónde están:' },
  source: { en: 'From', es: 'De' },
  dataOf: { en: 'data of', es: 'datos del' },
  asCsv: { en: 'CSV', es: 'CSV' },
  more: { en: 'Show more rows', es: 'Mostrar más filas' },
  rows: { en: 'rows', es: 'filas' },
  upToDate: { en: 'up to date', es: 'al día' },
  stale: { en: 'stale', es: 'atrasados' },
  failedSlices: { en: 'failed', es: 'con error' },
  neverSynced: { en: 'never synced', es: 'nunca sincronizados' },
  newestData: { en: 'Newest data', es: 'Datos más recientes' },
  noneYet: { en: 'none yet', es: 'ninguno todavía' },
  ofClient: {
    en: 'Routes of this client and its account',
    es: 'Rutas de este cliente y de su cuenta',
  },
  ofClientThatLeft: {
    en: 'Routes of this client as they were when it left',
    es: 'Rutas de este cliente tal como estaban cuando se fue',
  },
  ofAccount: {
    en: 'What is read of the account and does not say which client it is about: it is for the whole account. What is known to be a client’s is on its page.',
    es: 'Lo que se lee de la cuenta sin decir de qué cliente es: vale para toda la cuenta. Lo que se sabe de un cliente está en su página.',
  },
  readAt: { en: 'read', es: 'leído' },
  notHereLine: { en: 'Not here', es: 'Aquí no hay' },
  since: { en: 'since', es: 'desde el' },
  events: { en: 'What happened', es: 'Qué ha pasado' },
  eventsNote: {
    en: 'What follows something is not therefore due to it. The number is that of the mark above.',
    es: 'Lo que sigue a algo no se debe por ello a ello. El número es el de la marca de arriba.',
  },
  lost: { en: 'Lost', es: 'Perdidas' },
  won: { en: 'Won', es: 'Ganadas' },
  rivals: { en: 'Rivals alone', es: 'Solo rivales' },
  mark: { en: 'Mark', es: 'Marca' },
  marks: { en: 'What happened and when', es: 'Qué ha pasado y cuándo' },
  rankAround: { en: 'AI Rank around it', es: 'AI Rank alrededor' },
  tooNew: { en: 'not known', es: 'sin dato' },
  in: { en: 'in', es: 'en' },
  figures: { en: 'Figures', es: 'Cifras' },
  moreSettings: { en: 'More settings', es: 'Más ajustes' },
  noVerdict: { en: 'no verdict', es: 'sin veredicto' },
  byWeek: { en: 'Named in, by week', es: 'Nombrada, por semana' },
  namedIn: { en: 'Share of answers that name it', es: 'Respuestas que la nombran' },
  aiRank: { en: 'AI Rank, 0–100', es: 'AI Rank, 0–100' },
  why: { en: 'Why it needs somebody', es: 'Por qué necesita a alguien' },
  before: { en: 'before', es: 'antes' },
  was: { en: 'was', es: 'antes' },
  usualRange: { en: 'usual range', es: 'lo habitual' },
  eventDate: { en: 'Date', es: 'Fecha' },
} as const satisfies Record<string, Words>;

export type WordName = keyof typeof words;

export function word(name: WordName, language: Language): string {
  return words[name][language];
}

export function sayIn(language: Language): (name: WordName) => string {
  return (name) => word(name, language);
}

const mostNamed = 3;

/** `3 nights missed for good: 9 Nov 2026, 3 Nov 2026, 2 Nov 2026 (rank, sources)`, the newest first. */
export function missedText({ dates, streams }: MissedNights, language: Language): string {
  const isSpanish = language === 'es';
  const listed = (names: readonly string[]) => {
    const more = names.length - mostNamed;
    const named = names.slice(0, mostNamed).join(', ');
    return more > 0 ? `${named} ${isSpanish ? 'y' : 'and'} ${more} ${isSpanish ? 'más' : 'more'}` : named;
  };
  const nights = isSpanish
    ? `${dates.length} ${dates.length === 1 ? 'noche perdida' : 'noches perdidas'} para siempre`
    : `${dates.length} ${dates.length === 1 ? 'night' : 'nights'} missed for good`;
  return `${nights}: ${listed(dates.toReversed().map((date) => formatDate(date, language)))} (${listed(streams)})`;
}
