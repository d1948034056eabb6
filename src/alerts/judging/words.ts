// The texts of alerts, in the languages that people read, with words of the API as it gives them; and the
// words of the API that rules understand, in Spanish and English. The API documents none of them; a word that
// is not here has no meaning for a rule.

/** Each entry begins a word of the text; in the last two lists it is the whole word. */
export const apiWords = {
  /** Verdicts by which a claim is false. */
  false: [
    'fals',
    'incorrect',
    'erron',
    'equivocad',
    'inexact',
    'mentira',
    'desmentid',
    'refutad',
    'contradic',
    'wrong',
    'untrue',
    'inaccurate',
    'refuted',
    'disproved',
  ],
  /** Statuses by which a site refuses a bot. */
  refused: [
    'bloquead',
    'blocked',
    'rechazad',
    'denegad',
    'prohibid',
    'vetad',
    'denied',
    'disallow',
    'refused',
    'rejected',
    'forbidden',
    'unauthorized',
    '401',
    '403',
    '451',
  ],
  /** Kinds of news by which a competitor passes the brand. `adelantado` may be said of either, so it is not here. */
  passed_by: ['adelanta', 'supera', 'sobrepasa', 'rebasa', 'overtakes', 'overtook', 'surpasses', 'outranks'],
  passed: ['adelantas', 'superas', 'sobrepasas', 'rebasas', 'adelantamos', 'superamos'],
} as const satisfies Record<string, readonly string[]>;

type ApiMeaning = keyof typeof apiWords;

/** Words before which the others mean the opposite: `no bloqueado`, `not false`, `sin bloquear`. */
const negations = new Set(['no', 'not', 'non', 'sin', 'ningun', 'ninguna', 'never', 'nunca']);

const wholeWords: ReadonlySet<ApiMeaning> = new Set(['passed_by', 'passed']);

/** Tells whether a text of the API means it; false for undefined and for what is not understood. */
export function means(meaning: ApiMeaning, text: string | undefined): boolean {
  return clausesOf(text ?? '').some((spoken) =>
    spoken.some((word, index) => {
      const isIt = apiWords[meaning].some((begin) =>
        wholeWords.has(meaning) ? word === begin : word.startsWith(begin),
      );
      return isIt && !spoken.slice(Math.max(index - 2, 0), index).some((before) => negations.has(before));
    }),
  );
}

/** A negation ends with its clause: `No, es falso` is false. */
const clausesOf = (text: string) => text.split(/[,.;:!?()¡¿…–—\n]+/u).map(wordsOf);

/** `Muy-Errónea` as muy, erronea. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

export type Language = 'en' | 'es';

/** At most `digits` decimals, as the language writes numbers. */
export function figure(value: number, language: Language, digits = 1): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
}

/** With one decimal, also of a whole number; a change has its sign. */
export function points(
  value: number,
  language: Language,
  signDisplay: 'auto' | 'exceptZero' = 'auto',
): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(language, { ...digits, signDisplay }).format(value);
}

/** `3 Apr 2026`. */
export function day(date: string, language: Language): string {
  const format = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(language === 'es' ? 'es-ES' : 'en-GB', format).format(Date.parse(date));
}

const some = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const words = {
  en: {
    rank_fell: (from: string, to: string, days: number, by: string, method: string) =>
      `AI Rank fell from ${from} to ${to} in ${days} days, ${by} (method ${method})`,
    rank_rose: (from: string, to: string, days: number, by: string, method: string) =>
      `AI Rank rose from ${from} to ${to} in ${days} days, ${by} (method ${method})`,
    by_clear: (usual: string) => `beyond its usual range of ${usual} points`,
    by_threshold: (points: string) => `at least the configured ${points} points`,
    mention_fell: (from: string, to: string) =>
      `The share of answers that name the brand fell from ${from} to ${to} % in 28 days, beyond its usual range`,
    mention_rose: (from: string, to: string) =>
      `The share of answers that name the brand rose from ${from} to ${to} % in 28 days, beyond its usual range`,
    rank_also: (by: string, isUp: boolean, days: number) =>
      days > 7
        ? `; still ${by} ${isUp ? 'above' : 'below'} ${days} days before`
        : `; ${isUp ? 'up' : 'down'} ${by} in the last ${days} days`,
    passed_by: (name: string) => `${name} passed the brand`,
    passed: (name: string) => `The brand passed ${name}`,
    page_lost: (count: number) =>
      some(count, 'A page of the site is no longer cited', `${count} pages of the site are no longer cited`),
    claim_false: (brand: string | undefined, claim: string) =>
      `A claim ${brand === undefined ? '' : `about ${brand} `}is judged false: ${claim}`,
    crawler_refused: (bot: string) => `The site refuses ${bot}`,
    revenue_fell: (from: string, to: string, currency: string) =>
      `Revenue attributed to engines fell from ${from} to ${to} ${currency} in a month`,
    outcome_in: (title: string | null) =>
      `The result of ${title === null ? 'an action' : `“${title}”`} is known`,
    expected: (range: readonly string[]) => `expected ${range.join(' to ')}`,
    alerts: (count: number) => some(count, '1 alert', `${count} alerts`),
    and: (alerts: string) => ` and ${alerts} more`,
    week_before: (account: string, date: string) => `${account}, the week before ${date}`,
    movers: 'AI Ranks that rose or fell beyond their usual range',
    no_movers: 'No AI Rank is known to have moved beyond its usual range.',
    no_alerts: 'No alerts.',
    moved: (points: string) => `${points} in 28 days`,
    more: (count: number) => `… and ${count} more (airank alerts)`,
    states: {} as Readonly<Record<string, string>>,
  },
  es: {
    rank_fell: (from: string, to: string, days: number, by: string, method: string) =>
      `El AI Rank bajó de ${from} a ${to} en ${days} días, ${by} (método ${method})`,
    rank_rose: (from: string, to: string, days: number, by: string, method: string) =>
      `El AI Rank subió de ${from} a ${to} en ${days} días, ${by} (método ${method})`,
    by_clear: (usual: string) => `más de lo habitual (${usual} puntos)`,
    by_threshold: (points: string) => `al menos los ${points} puntos fijados`,
    mention_fell: (from: string, to: string) =>
      `La parte de las respuestas que nombra a la marca bajó del ${from} al ${to} % en 28 días, más de lo habitual`,
    mention_rose: (from: string, to: string) =>
      `La parte de las respuestas que nombra a la marca subió del ${from} al ${to} % en 28 días, más de lo habitual`,
    rank_also: (by: string, isUp: boolean, days: number) =>
      days > 7
        ? `; aún ${by} por ${isUp ? 'encima' : 'debajo'} de hace ${days} días`
        : `; ${isUp ? 'sube' : 'baja'} ${by} en los últimos ${days} días`,
    passed_by: (name: string) => `${name} adelanta a la marca`,
    passed: (name: string) => `La marca adelanta a ${name}`,
    page_lost: (count: number) =>
      some(count, 'Una página propia ya no se cita', `${count} páginas propias ya no se citan`),
    claim_false: (brand: string | undefined, claim: string) =>
      `Una afirmación ${brand === undefined ? '' : `sobre ${brand} `}se juzga falsa: ${claim}`,
    crawler_refused: (bot: string) => `El sitio rechaza a ${bot}`,
    revenue_fell: (from: string, to: string, currency: string) =>
      `Los ingresos atribuidos a motores bajaron de ${from} a ${to} ${currency} en un mes`,
    outcome_in: (title: string | null) =>
      `Ya hay resultado de ${title === null ? 'una acción' : `«${title}»`}`,
    expected: (range: readonly string[]) =>
      `se esperaba ${range.length > 1 ? 'de ' : ''}${range.join(' a ')}`,
    alerts: (count: number) => some(count, '1 alerta', `${count} alertas`),
    and: (alerts: string) => ` y ${alerts} más`,
    week_before: (account: string, date: string) => `${account}, la semana antes del ${date}`,
    movers: 'AI Rank que sube o baja más de lo habitual',
    no_movers: 'De ningún AI Rank se sabe que haya cambiado más de lo habitual.',
    no_alerts: 'Sin alertas.',
    moved: (points: string) => `${points} en 28 días`,
    more: (count: number) => `… y ${count} más (airank alerts)`,
    states: {
      open: 'abierta',
      acknowledged: 'vista',
      recovered: 'recuperada',
      over: 'terminada',
      news: 'novedad',
    } as Readonly<Record<string, string>>,
  },
} as const satisfies Record<Language, object>;
