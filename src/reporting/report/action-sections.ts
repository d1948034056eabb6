// What was done, with what was read before and after; and what comes next.

import { addDays, parseRunDate } from '../../core/run-date.ts';
import type { Language, Period } from '../dashboard/charts/chart.ts';
import { formatDate, formatNumber } from '../dashboard/charts/format.ts';
import type { Action, Figures } from './figures.ts';
import { type Html, html } from './html.ts';
import { pointUntil } from './rank-figures.ts';
import { reportWords, wordOf } from './words.ts';

interface Page {
  readonly figures: Figures;
  readonly language: Language;
  readonly period: Pick<Period, 'to'>;
}

const mostOpen = 8;
const mostDone = 20;
const mostNotes = 20;

export function doneSection({ figures, language, period }: Page): Html {
  const words = reportWords[language];
  const done = figures.actions.filter(({ meaning, hasChanged }) => meaning === 'done' && hasChanged);
  return html`<section id="done"><h2>${words.done}</h2>
${done.length === 0 ? html`<p>${isKnown(figures) ? words.nothingDone : words.noStatus}</p>` : doneTable(done.slice(0, mostDone), figures, language)}
${moreThan(mostDone, done, language)}${readOnNote(done, period, language)}
${experimentTable(figures, language)}
${noteList(figures, language)}</section>`;
}

export function nextSection({ figures, language, period }: Page): Html {
  const { next, nothingNext, noStatus, columns } = reportWords[language];
  const open = figures.actions.filter(({ meaning }) => meaning === 'open');
  if (open.length === 0) {
    return html`<section id="next"><h2>${next}</h2><p>${isKnown(figures) ? nothingNext : noStatus}</p></section>`;
  }
  return html`<section id="next"><h2>${next}</h2><div class="scroll" tabindex="0"><table><thead><tr><th scope="col">${columns.action}</th>
<th scope="col">${columns.status}</th><th scope="col">${columns.priority}</th><th scope="col">${columns.until}</th></tr></thead><tbody>
${open.slice(0, mostOpen).map(
  ({ title, status, priority, postponedUntil }) => html`<tr><th scope="row"><bdi>${title}</bdi></th>
<td>${wordOf(status, language)}</td><td>${wordOf(priority, language)}</td>
<td class="date">${postponedUntil === null ? '' : formatDate(postponedUntil, language)}</td></tr>\n`,
)}</tbody></table></div>${moreThan(mostOpen, open, language)}${readOnNote(open, period, language)}</section>`;
}

function isKnown({ actions }: Figures): boolean {
  return actions.some(({ meaning }) => meaning !== 'unknown');
}

function moreThan(most: number, all: readonly unknown[], language: Language): Html | undefined {
  if (all.length <= most) return undefined;
  return html`<p class="note">${reportWords[language].more(all.length - most)}</p>`;
}

/** The status is that of the period's end; what else is said of an action may be newer. */
function readOnNote(
  actions: readonly Action[],
  { to }: Pick<Period, 'to'>,
  language: Language,
): Html | undefined {
  const newest = actions.reduce((date, { readOn }) => (readOn !== null && readOn > date ? readOn : date), to);
  if (newest === to) return undefined;
  return html`<p class="note">${reportWords[language].actionsReadOn(formatDate(newest, language))}</p>`;
}

function doneTable(done: readonly Action[], figures: Figures, language: Language): Html {
  const { columns } = reportWords[language];
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">${columns.action}</th><th scope="col">${columns.since}</th>
<th scope="col" class="number">${columns.rankBefore}</th><th scope="col" class="number">${columns.rankAfter}</th>
<th scope="col">${columns.observed}</th></tr></thead><tbody>
${done.map((action) => {
  const { before, after } = rankAround(action, figures);
  return html`<tr><th scope="row"><bdi>${action.title}</bdi></th><td class="date">${formatDate(action.since, language)}</td>
<td class="number">${numberText(before, language)}</td><td class="number">${numberText(after, language)}</td>
<td>${observedText(action, language)}</td></tr>\n`;
})}</tbody></table></div>`;
}

/** Of the method of the newest point: the last one before the action, and the newest one if it is after it. */
export function rankAround(
  { since }: Pick<Action, 'since'>,
  { rank }: Pick<Figures, 'rank'>,
): { readonly before: number | undefined; readonly after: number | undefined } {
  const { newest } = rank;
  const date = parseRunDate(since);
  if (newest === undefined || date === undefined) return { before: undefined, after: undefined };
  const before = pointUntil(rank, newest.method, addDays(date, -1))?.score;
  return { before, after: newest.date > since ? newest.score : undefined };
}

function observedText(action: Action, language: Language): string {
  const { observed, reading, expectedFrom, expectedTo, metric } = action;
  const { expected } = reportWords[language];
  const range =
    expectedFrom === null || expectedTo === null
      ? ''
      : expected(formatNumber(expectedFrom, language), formatNumber(expectedTo, language));
  const said = [numberText(observed ?? undefined, language), wordOf(reading, language), range];
  const text = said.filter((part) => part !== '').join(', ');
  return text === '' || metric === '' ? text : `${wordOf(metric, language)}: ${text}`;
}

function experimentTable({ experiments }: Figures, language: Language): Html | undefined {
  if (experiments.length === 0) return undefined;
  const { columns, experiments: heading } = reportWords[language];
  return html`<h3>${heading}</h3><div class="scroll" tabindex="0"><table><thead><tr><th scope="col">${columns.experiment}</th>
<th scope="col" class="number">${columns.before}</th><th scope="col" class="number">${columns.now}</th>
<th scope="col">${columns.reading}</th></tr></thead><tbody>
${experiments.map(
  ({ name, metric, before, after, reading }) => html`<tr><th scope="row"><bdi>${name}</bdi>
<span class="note">${wordOf(metric, language)}, ${formatDate(before.date, language)} – ${formatDate(after.date, language)}</span></th>
<td class="number">${numberText(before.value, language)}</td><td class="number">${numberText(after.value, language)}</td>
<td>${wordOf(reading, language)}</td></tr>\n`,
)}</tbody></table></div>`;
}

function noteList({ notes }: Figures, language: Language): Html | undefined {
  if (notes.length === 0) return undefined;
  return html`<h3>${reportWords[language].notes}</h3><ul class="plain">
${notes.slice(0, mostNotes).map(({ date, text }) => html`<li>${formatDate(date, language)}: <bdi>${text}</bdi></li>\n`)}</ul>
${moreThan(mostNotes, notes, language)}`;
}

function numberText(value: number | undefined, language: Language): string {
  return value === undefined ? '' : formatNumber(value, language);
}
