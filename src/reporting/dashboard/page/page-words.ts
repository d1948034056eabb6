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
  noMatch: { en: 'No client has this name', es: 'Ningún cliente se llama así' },
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
  source: { en: 'Source', es: 'Fuente' },
  dataOf: { en: 'data of', es: 'datos del' },
  showTable: { en: 'Show the figures', es: 'Ver los datos' },
  hideTable: { en: 'Hide the figures', es: 'Ocultar los datos' },
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
  changedSince: { en: 'What changed since', es: 'Qué ha cambiado desde el' },
  since: { en: 'since', es: 'desde el' },
  figure: { en: 'Figure', es: 'Cifra' },
  earlier: { en: 'Then', es: 'Entonces' },
  now: { en: 'Now', es: 'Ahora' },
  change: { en: 'Change', es: 'Cambio' },
  changeNote: {
    en: 'First and last date of the period with a value. Whether a change is real is said for 28 days alone, above; for other dates the figures have their intervals.',
    es: 'Primera y última fecha del periodo con valor. Si un cambio es real se indica solo para 28 días, arriba; para otras fechas las cifras tienen sus intervalos.',
  },
  events: { en: 'What happened', es: 'Qué ha pasado' },
  eventDate: { en: 'Date', es: 'Fecha' },
  eventType: { en: 'What', es: 'Qué' },
} as const satisfies Record<string, Words>;

export type WordName = keyof typeof words;

export function word(name: WordName, language: Language): string {
  return words[name][language];
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
