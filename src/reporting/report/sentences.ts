// What changed: the three gains and the three losses, and at most five sentences made from the figures by rules. None
// says why.

import type { Language } from '../dashboard/charts/chart.ts';
import { formatChange, formatDate, formatNumber } from '../dashboard/charts/format.ts';
import { type Change, competitorName, type Figures } from './figures.ts';
import { wordOf } from './words.ts';

export interface Move extends Change {
  /** Points; a competitor that is named more often is a loss. */
  readonly gain: number;
}

const shown = 3;
const mostOfAKind = 2;
/** Smaller moves are noise, or would be written as 0. */
const leastPoints = 0.5;

/** What moved most in the period, in points of 100. */
export function gainsAndLosses(figures: Figures): {
  readonly gains: readonly Move[];
  readonly losses: readonly Move[];
  /** Figures that were measured on both dates. */
  readonly compared: number;
} {
  const competitors = figures.competitors.flatMap((one): Change[] => {
    const { now, before } = one;
    return before === undefined ? [] : [{ kind: 'competitor', name: competitorName(one), now, before }];
  });
  const all = [...figures.dimensions, ...figures.questions, ...competitors];
  const moves = all
    .map((change): Move => {
      const points = Number((change.now.value - change.before.value).toFixed(6));
      return { ...change, gain: change.kind === 'competitor' ? -points : points };
    })
    .filter(({ gain }) => Math.abs(gain) >= leastPoints)
    .sort(
      (a, b) => Math.abs(b.gain) - Math.abs(a.gain) || compare(a.kind, b.kind) || compare(a.name, b.name),
    );
  return {
    gains: firstOf(moves.filter(({ gain }) => gain > 0)),
    losses: firstOf(moves.filter(({ gain }) => gain < 0)),
    compared: all.length,
  };
}

/** At most two of a kind, as long as another kind moved too. */
function firstOf(moves: readonly Move[]): readonly Move[] {
  const varied = moves.filter(
    (move, place) => moves.slice(0, place).filter(({ kind }) => kind === move.kind).length < mostOfAKind,
  );
  const chosen = [...new Set([...varied, ...moves])].slice(0, shown);
  return moves.filter((move) => chosen.includes(move));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Numbers and dates come written; names come as they are. */
interface Moved {
  readonly now: string;
  readonly before: string;
  /** `+1.2` */
  readonly change: string;
  /** Of `before`. */
  readonly since: string;
}

interface SentenceWords {
  readonly rank: (rank: string, on: string) => string;
  readonly rankMoved: (moved: Moved & { readonly on: string }) => string;
  readonly methodChanged: (from: string, to: string, on: string, rank: string) => string;
  readonly position: (moved: Moved) => string;
  readonly positionStayed: (position: string, since: string) => string;
  readonly dimension: (name: string, moved: Moved) => string;
  readonly presence: (count: number, moved: Moved) => string;
  readonly competitor: (name: string, mentions: string, count: number, before: string | undefined) => string;
  readonly pages: (gained: number, lost: number, own: number, unknown: number) => string;
  readonly actions: (done: number, open: number, unknown: number) => string;
}

const en: SentenceWords = {
  rank: (rank, on) => `The AI Rank was ${rank} on ${on}; there is nothing to compare it with.`,
  rankMoved: ({ now, on, change, since, before }) =>
    `The AI Rank was ${now} on ${on}: ${change} points since ${since}, when it was ${before}.`,
  methodChanged: (from, to, on, rank) =>
    `The AI Rank is measured by method ${to} since ${on} and was ${rank} last; it is not compared with ${from}.`,
  position: ({ now, before, since }) =>
    `The brand is number ${now} among the measured brands; it was number ${before} on ${since}.`,
  positionStayed: (position, since) =>
    `The brand is number ${position} among the measured brands, as on ${since}.`,
  dimension: (name, { now, before, change, since }) =>
    `Of what the AI Rank is made of, ${name} moved most: from ${before} on ${since} to ${now} (${change} points).`,
  presence: (count, { now, before, change, since }) =>
    count === 1
      ? `The one question that is watched had ${now} of its answers naming the brand: ${change} points since ${since} (${before}).`
      : `On average over ${count} questions, ${now} of the answers named the brand: ${change} points since ${since} (${before}).`,
  competitor: (name, mentions, count, before) =>
    `Of ${count === 1 ? 'one competitor' : `${count} competitors`}, ${name} is named most often, ${mentions} times in 100 answers` +
    `${before === undefined ? '' : ` (${before} before)`}.`,
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
  rankMoved: ({ now, on, change, since, before }) =>
    `El AI Rank era ${now} el ${on}: ${change} puntos desde el ${since}, cuando era ${before}.`,
  methodChanged: (from, to, on, rank) =>
    `El AI Rank se mide con el método ${to} desde el ${on} y el último es ${rank}; no se compara con ${from}.`,
  position: ({ now, before, since }) =>
    `La marca es la número ${now} entre las marcas medidas; el ${since} era la número ${before}.`,
  positionStayed: (position, since) =>
    `La marca es la número ${position} entre las marcas medidas, igual que el ${since}.`,
  dimension: (name, { now, before, change, since }) =>
    `De lo que compone el AI Rank, lo que más se ha movido es ${name}: de ${before} el ${since} a ${now} (${change} puntos).`,
  presence: (count, { now, before, change, since }) =>
    count === 1
      ? `En la única pregunta que se sigue, el ${now} de las respuestas nombra a la marca: ${change} puntos desde el ${since} (${before}).`
      : `De media en ${count} preguntas, el ${now} de las respuestas nombra a la marca: ${change} puntos desde el ${since} (${before}).`,
  competitor: (name, mentions, count, before) =>
    `${count === 1 ? 'El único competidor es' : `De ${count} competidores, el más nombrado es`} ${name}, ${mentions} veces en 100 respuestas` +
    `${before === undefined ? '' : ` (antes, ${before})`}.`,
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

const sentenceWords: Readonly<Record<Language, SentenceWords>> = { en, es };

const most = 5;

/** In this order; what has no figures has no sentence, and the next one takes its place. */
export function sentencesOf(figures: Figures, language: Language): readonly string[] {
  return [rank, presence, competitor, actions, pages, dimension, position]
    .flatMap((rule) => rule(figures, language) ?? [])
    .slice(0, most);
}

type Rule = (figures: Figures, language: Language) => string | undefined;

const rank: Rule = ({ rank: { newest, before, changedMethod } }, language) => {
  if (newest === undefined) return undefined;
  const words = sentenceWords[language];
  const now = formatNumber(newest.score, language);
  if (changedMethod !== undefined) {
    const { from, since } = changedMethod;
    return words.methodChanged(from, newest.method, formatDate(since, language), now);
  }
  const on = formatDate(newest.date, language);
  if (before === undefined) return words.rank(now, on);
  return words.rankMoved({
    now,
    on,
    before: formatNumber(before.score, language),
    change: formatChange(newest.score - before.score, language),
    since: formatDate(before.date, language),
  });
};

const position: Rule = ({ rank: { newest, before } }, language) => {
  if (newest?.position == null || before?.position == null) return undefined;
  const [now, then] = [newest, before].map((point) => formatNumber(point.position ?? 0, language));
  const since = formatDate(before.date, language);
  const words = sentenceWords[language];
  if (newest.position === before.position) return words.positionStayed(now ?? '', since);
  return words.position({ now: now ?? '', before: then ?? '', change: '', since });
};

const dimension: Rule = ({ dimensions }, language) => {
  const [first] = [...dimensions].sort((a, b) => Math.abs(moveOf(b)) - Math.abs(moveOf(a)));
  if (first === undefined || formatNumber(Math.abs(moveOf(first)), language) === '0') return undefined;
  return sentenceWords[language].dimension(wordOf(first.name, language), {
    now: formatNumber(first.now.value, language),
    before: formatNumber(first.before.value, language),
    change: formatChange(moveOf(first), language),
    since: formatDate(first.before.date, language),
  });
};

const presence: Rule = ({ questions }, language) => {
  const [first] = questions;
  if (first === undefined) return undefined;
  const [now, before] = [mean(questions.map((one) => one.now)), mean(questions.map((one) => one.before))];
  return sentenceWords[language].presence(questions.length, {
    now: percent(now, language),
    before: percent(before, language),
    change: formatChange(now - before, language),
    since: formatDate(first.before.date, language),
  });
};

const competitor: Rule = ({ competitors }, language) => {
  const [first] = competitors;
  if (first === undefined) return undefined;
  const before = first.before === undefined ? undefined : formatNumber(first.before.value, language);
  const mentions = formatNumber(first.now.value, language);
  const count = new Set(competitors.map(({ name }) => name)).size;
  return sentenceWords[language].competitor(competitorName(first), mentions, count, before);
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

function moveOf({ now, before }: Change): number {
  return now.value - before.value;
}

function mean(readings: readonly { readonly value: number }[]): number {
  return readings.reduce((sum, { value }) => sum + value, 0) / readings.length;
}

export function percent(value: number, language: Language): string {
  // No line break before the sign.
  return `${formatNumber(value, language)}\u00a0%`;
}
