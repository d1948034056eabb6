// At most five sentences made from the figures by rules: they say what is clear, and what cannot be judged. None says why.

import type { Language } from '../dashboard/charts/chart.ts';
import { formatDate, formatNumber } from '../dashboard/charts/format.ts';
import type { Figures, Verdict } from './figures.ts';

/** Numbers and dates come written; names come as they are. */
interface Judged {
  readonly direction: Verdict['direction'];
  readonly now: string;
  readonly before: string;
  /** Without its sign. */
  readonly change: string;
  /** Of `now`; of a point both are its date. */
  readonly from: string;
  readonly to: string;
  /** Of `before`. */
  readonly since: string;
}

interface SentenceWords {
  readonly rank: (rank: string, on: string) => string;
  readonly rankChange: (judged: Judged, usual: string) => string;
  readonly methodChanged: (from: string, to: string, on: string, rank: string) => string;
  readonly mentionChange: (judged: Judged, questions: number, answers: number) => string;
  /** @param more competitors that are not listed */
  readonly competitors: (list: string, on: string, count: number, more: number) => string;
  readonly pages: (gained: number, lost: number, own: number, unknown: number) => string;
  readonly actions: (done: number, open: number, unknown: number) => string;
}

const en: SentenceWords = {
  rank: (rank, on) => `The AI Rank was ${rank} on ${on}; there is nothing to compare it with.`,
  rankChange: ({ direction, now, before, change, to, since }, usual) => {
    if (direction === undefined) {
      return `The AI Rank was ${now} on ${to} and ${before} on ${since}; whether that is more than chance cannot be judged yet: that takes an interval of the service at both, or seven changes over 28 days before.`;
    }
    if (direction === 'usual') {
      return `The AI Rank is within its usual range: ${now} on ${to}, ${before} on ${since}. A change is clear from ${usual} points on.`;
    }
    return `The AI Rank ${direction} by ${change} points, from ${before} on ${since} to ${now} on ${to}. A change is clear from ${usual} points on.`;
  },
  methodChanged: (from, to, on, rank) =>
    `The AI Rank is measured by method ${to} since ${on} and was ${rank} last; it is not compared with ${from}.`,
  mentionChange: ({ direction, now, before, change, from, to }, questions, answers) => {
    const shares = `${now} from ${from} to ${to}, ${before} in the 28 days before`;
    const asked = questions === 1 ? 'the same question' : `the same ${questions} questions`;
    if (direction === undefined) {
      return `The brand was named in ${shares}; ${answers} answers are too few to tell a change from chance.`;
    }
    if (direction === 'usual') {
      return `The share of answers that name the brand is within its usual range: ${shares}, to ${asked}.`;
    }
    return `The share of answers that name the brand ${direction} by ${change} percentage points: ${shares}, to ${asked}.`;
  },
  competitors: (list, on, count, more) =>
    `${count === 1 ? 'Its competitor' : 'Competitors'} on ${on}, mentions in 100 answers${count === 1 ? '' : ', largest first'}: ` +
    `${list}${more === 0 ? '' : `; and ${more} more`}.${count === 1 ? '' : ' The order of close ones may be chance.'}`,
  pages: (gained, lost, own, unknown) =>
    `${gained === 1 ? 'One cited page was' : `${gained} cited pages were`} gained and ${lost === 1 ? 'one was' : `${lost} were`} lost; ` +
    (unknown === 0
      ? `${own} of them ${own === 1 ? 'is' : 'are'} the brand’s own.`
      : `${own} of them ${own === 1 ? 'is' : 'are'} known to be the brand’s own, and of ${unknown} it is not known.`),
  actions: (done, open, unknown) =>
    `${done === 0 ? 'No action was' : done === 1 ? 'One action was' : `${done} actions were`} finished, and ` +
    `${open === 0 ? 'none is' : open === 1 ? 'one is' : `${open} are`} open` +
    `${unknown === 0 ? '' : `; the status of ${unknown} is not known`}.`,
};

const es: SentenceWords = {
  rank: (rank, on) => `El AI Rank era ${rank} el ${on}; no hay con qué compararlo.`,
  rankChange: ({ direction, now, before, change, to, since }, usual) => {
    if (direction === undefined) {
      return `El AI Rank era ${now} el ${to} y ${before} el ${since}; todavía no se puede juzgar si es más que azar: harían falta un intervalo del servicio en ambas fechas o siete cambios de 28 días anteriores.`;
    }
    if (direction === 'usual') {
      return `El AI Rank está dentro de lo habitual: ${now} el ${to}, ${before} el ${since}. Un cambio es claro desde ${usual} puntos.`;
    }
    return `El AI Rank ${moved[direction]} ${change} puntos, de ${before} el ${since} a ${now} el ${to}. Un cambio es claro desde ${usual} puntos.`;
  },
  methodChanged: (from, to, on, rank) =>
    `El AI Rank se mide con el método ${to} desde el ${on} y el último es ${rank}; no se compara con ${from}.`,
  mentionChange: ({ direction, now, before, change, from, to }, questions, answers) => {
    const shares = `${now} del ${from} al ${to}, ${before} en los 28 días anteriores`;
    const asked = questions === 1 ? 'la misma pregunta' : `las mismas ${questions} preguntas`;
    if (direction === undefined) {
      return `Respuestas que nombran a la marca: ${shares}; ${answers} respuestas son pocas para distinguir un cambio del azar.`;
    }
    if (direction === 'usual') {
      return `La parte de las respuestas que nombra a la marca está dentro de lo habitual: ${shares}, a ${asked}.`;
    }
    return `La parte de las respuestas que nombra a la marca ${moved[direction]} ${change} puntos porcentuales: ${shares}, a ${asked}.`;
  },
  competitors: (list, on, count, more) =>
    `${count === 1 ? 'Su competidor' : 'Competidores'} el ${on}, menciones en 100 respuestas${count === 1 ? '' : ', de mayor a menor'}: ` +
    `${list}${more === 0 ? '' : `; y ${more} más`}.${count === 1 ? '' : ' El orden de los cercanos puede ser azar.'}`,
  pages: (gained, lost, own, unknown) =>
    `Páginas citadas: ${gained} ${gained === 1 ? 'nueva' : 'nuevas'} y ${lost} ${lost === 1 ? 'perdida' : 'perdidas'}; ` +
    (unknown === 0
      ? `${own} de ellas ${own === 1 ? 'es propia' : 'son propias'} de la marca.`
      : `${own} de ellas se ${own === 1 ? 'sabe que es propia' : 'saben propias'} de la marca, y de ${unknown} no se sabe.`),
  actions: (done, open, unknown) =>
    `${done === 0 ? 'No se ha terminado ninguna acción' : done === 1 ? 'Se ha terminado una acción' : `Se han terminado ${done} acciones`}, y ` +
    `${open === 0 ? 'no queda ninguna abierta' : open === 1 ? 'queda una abierta' : `quedan ${open} abiertas`}` +
    `${unknown === 0 ? '' : `; de ${unknown} no se conoce el estado`}.`,
};

const moved = { rose: 'subió', fell: 'bajó' } as const;

const sentenceWords: Readonly<Record<Language, SentenceWords>> = { en, es };

/** In this order; what has no figures has no sentence. */
export function sentencesOf(figures: Figures, language: Language): readonly string[] {
  return [rank, mentions, competitors, actions, pages].flatMap((rule) => rule(figures, language) ?? []);
}

type Rule = (figures: Figures, language: Language) => string | undefined;

const rank: Rule = ({ rank: { newest, changedMethod }, rankChange }, language) => {
  if (newest === undefined) return undefined;
  const words = sentenceWords[language];
  const now = formatNumber(newest.score, language);
  if (changedMethod !== undefined) {
    const { from, since } = changedMethod;
    return words.methodChanged(from, newest.method, formatDate(since, language), now);
  }
  if (rankChange === undefined) return words.rank(now, formatDate(newest.date, language));
  const judged = judgedOf(rankChange, (value) => formatNumber(value, language), language);
  return words.rankChange(judged, formatNumber(rankChange.usual ?? 0, language));
};

const mentions: Rule = ({ mentionChange }, language) => {
  if (mentionChange === undefined) return undefined;
  const judged = judgedOf(mentionChange, (value) => percent(value, language), language);
  return sentenceWords[language].mentionChange(judged, mentionChange.questions, mentionChange.answers);
};

function judgedOf(
  { now, before, direction }: Verdict,
  written: (value: number) => string,
  language: Language,
): Judged {
  return {
    direction,
    now: written(now.value),
    before: written(before.value),
    change: formatNumber(Math.abs(now.value - before.value), language),
    from: formatDate(now.from, language),
    to: formatDate(now.to, language),
    since: formatDate(before.to, language),
  };
}

const mostCompetitors = 6;

const competitors: Rule = ({ measured }, language) => {
  const all = measured.filter(({ kind }) => kind === 'competitor').sort((a, b) => b.now.value - a.now.value);
  const [first] = all;
  if (first === undefined) return undefined;
  const listed = all.slice(0, mostCompetitors);
  const list = listed.map(({ name, now }) => `${name}: ${formatNumber(now.value, language)}`).join('; ');
  const on = formatDate(first.now.date, language);
  return sentenceWords[language].competitors(list, on, all.length, all.length - listed.length);
};

const actions: Rule = ({ actions: all }, language) => {
  const unknown = all.filter(({ meaning }) => meaning === 'unknown').length;
  if (all.length === unknown) return undefined;
  const done = all.filter(({ meaning, hasChanged }) => meaning === 'done' && hasChanged).length;
  const open = all.filter(({ meaning }) => meaning === 'open').length;
  return sentenceWords[language].actions(done, open, unknown);
};

const pages: Rule = ({ pages: { gained, lost, own, unknown } }, language) => {
  if (gained + lost === 0) return undefined;
  return sentenceWords[language].pages(gained, lost, own, unknown);
};

export function percent(value: number, language: Language): string {
  // No line break before the sign.
  return `${formatNumber(value, language)}\u00a0%`;
}
