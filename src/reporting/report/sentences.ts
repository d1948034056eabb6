// What changed, in at most five sentences made from the figures by rules. None says why.
import type { Language } from '../dashboard/charts/chart.ts';
import { formatChange, formatDate, formatNumber } from '../dashboard/charts/format.ts';
import { type Change, competitorName, type Figures } from './figures.ts';
import { sentenceWords } from './sentence-words.ts';
import { wordOf } from './words.ts';

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
