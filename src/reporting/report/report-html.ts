// A report as one HTML file: no script, nothing from elsewhere, every text of the data escaped.

import type { AgencyConfig } from '../../config/config.ts';
import { inLanguage } from '../../core/api-words.ts';
import { addDays, parseRunDate } from '../../core/run-date.ts';
import { escapeHtml } from '../../core/text.ts';
import type { Language, Period } from '../dashboard/charts/chart.ts';
import { formatDate, formatNumber } from '../dashboard/charts/format.ts';
import type { Blocker } from './blockers.ts';
import { type Action, type Figures, type Measured, pointUntil } from './figures.ts';
import { periodText, type ReportPeriod } from './period.ts';
import type { RankPicture } from './rank-picture.ts';
import { percent } from './sentences.ts';
import { reportWords } from './words.ts';

/** A piece of HTML that is safe to show. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

/** Values are texts and are escaped, but for pieces made by this function. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, place) => text + shown(parts[place])).join(''));
}

/** Takes a text as HTML: styles of our own, pictures that were drawn here. */
export function trusted(text: string): Html {
  return new Html(text);
}

function shown(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(shown).join('');
  return escapeHtml(String(part));
}

/** What the sections on actions read. */
interface Page {
  readonly figures: Figures;
  readonly language: Language;
  readonly period: Pick<Period, 'to'>;
}

const mostOpen = 8;
const mostDone = 20;
const mostNotes = 20;

function doneSection({ figures, language, period }: Page): Html {
  const words = reportWords[language];
  const done = figures.actions.filter(({ meaning, hasChanged }) => meaning === 'done' && hasChanged);
  return html`<section id="done"><h2>${words.done}</h2>
${done.length === 0 ? html`<p>${isKnown(figures) ? words.nothingDone : words.noStatus}</p>` : doneTable(done.slice(0, mostDone), figures, language)}
${moreThan(mostDone, done, language)}${readOnNote(done, period, language)}
${experimentTable(figures, language)}
${noteList(figures, language)}</section>`;
}

function nextSection({ figures, language, period }: Page): Html {
  const { next, nothingNext, noStatus, columns } = reportWords[language];
  const open = figures.actions.filter(({ meaning }) => meaning === 'open');
  if (open.length === 0) {
    return html`<section id="next"><h2>${next}</h2><p>${isKnown(figures) ? nothingNext : noStatus}</p></section>`;
  }
  return html`<section id="next"><h2>${next}</h2><div class="scroll" tabindex="0"><table><thead><tr><th scope="col">${columns.action}</th>
<th scope="col">${columns.status}</th><th scope="col">${columns.priority}</th><th scope="col">${columns.until}</th></tr></thead><tbody>
${open.slice(0, mostOpen).map(
  ({ title, status, priority, postponedUntil }) => html`<tr><th scope="row"><bdi>${title}</bdi></th>
<td>${inLanguage(status, language)}</td><td>${inLanguage(priority, language)}</td>
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
  const said = [numberText(observed ?? undefined, language), inLanguage(reading, language), range];
  const text = said.filter((part) => part !== '').join(', ');
  return text === '' || metric === '' ? text : `${inLanguage(metric, language)}: ${text}`;
}

function experimentTable({ experiments }: Figures, language: Language): Html | undefined {
  if (experiments.length === 0) return undefined;
  const { columns, experiments: heading } = reportWords[language];
  return html`<h3>${heading}</h3><div class="scroll" tabindex="0"><table><thead><tr><th scope="col">${columns.experiment}</th>
<th scope="col" class="number">${columns.before}</th><th scope="col" class="number">${columns.now}</th>
<th scope="col">${columns.reading}</th></tr></thead><tbody>
${experiments.map(
  ({ name, metric, before, after, reading }) => html`<tr><th scope="row"><bdi>${name}</bdi>
<span class="note">${inLanguage(metric, language)}, ${formatDate(before.date, language)} – ${formatDate(after.date, language)}</span></th>
<td class="number">${numberText(before.value, language)}</td><td class="number">${numberText(after.value, language)}</td>
<td>${inLanguage(reading, language)}</td></tr>\n`,
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

/** Classes of the pictures, in the colours of the agency: shapes are stretched, words never. */
const pictureStyle = `
svg { display: block; overflow: visible; }
.plot { width: calc(100% - 96px); margin: 12px 52px 24px 44px; }
.names { width: calc(100% - 156px); margin-right: 112px; }
.plot text { font-size: 12px; fill: var(--muted); }
.plot path, .plot line { vector-effect: non-scaling-stroke; fill: none; }
.ay { text-anchor: end; } .ax { text-anchor: middle; } .ae { text-anchor: start; } svg .strong { font-weight: 600; }
.g { stroke: var(--line); } .g0, .pin { stroke: var(--muted); } .pin { stroke-dasharray: 1 3; }
.l { stroke: var(--accent); stroke-width: 2; } .l.calm { stroke: var(--muted); stroke-width: 1.25; }
.plot .b { fill: var(--accent); fill-opacity: 0.14; } .ci { stroke: var(--accent); }
.d { fill: var(--accent); stroke: #fff; } .d.calm { fill: var(--muted); } .d.o { fill: #fff; stroke: var(--muted); }`;

/** For a screen and for A4. */
function reportStyle({ accentColor, textColor }: AgencyConfig): string {
  return `
:root { --accent: ${accentColor}; --text: ${textColor}; --line: #d0d7de; --muted: #57606a; color-scheme: light; }
* { box-sizing: border-box; }
html { background: #fff; color: var(--text); font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; }
body { max-width: 780px; margin: 0 auto; padding: 24px 20px 32px; overflow-wrap: break-word; }
header { display: flex; gap: 20px; align-items: center; justify-content: space-between;
  border-bottom: 3px solid var(--accent); padding-bottom: 14px; margin-bottom: 18px; }
header img { max-height: 56px; max-width: 200px; object-fit: contain; }
header p { margin: 0; color: var(--muted); }
h1, header p { overflow-wrap: anywhere; }
h1 { font-size: 25px; line-height: 1.2; margin: 0 0 4px; }
h2 { font-size: 18px; line-height: 1.3; margin: 26px 0 8px; color: var(--accent); }
h3 { font-size: 15px; margin: 16px 0 6px; }
ul.sentences { list-style: none; margin: 0; padding: 0; font-size: 16px; }
ul.sentences li { border-left: 4px solid var(--accent); padding: 1px 0 1px 12px; margin: 0 0 8px; }
.notice { border: 2px solid #b34700; border-radius: 6px; padding: 8px 12px; margin: 0 0 16px; }
figure { margin: 8px 0 0; }
${pictureStyle}
figcaption, .note, footer { color: var(--muted); font-size: 13px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 4px 0 0; }
table.figures { table-layout: fixed; }
table.figures th:first-child { width: 52%; }
table.figures th:nth-child(2) { width: 14%; }
caption { text-align: left; font-weight: 600; padding: 8px 0 2px; }
th, td { text-align: left; vertical-align: top; padding: 5px 10px 5px 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; font-size: 13px; color: var(--muted); }
tbody th { color: inherit; font-size: inherit; font-weight: 400; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; padding-right: 0; padding-left: 10px; }
td.number + td:not(.number), th.number + th:not(.number) { padding-left: 16px; }
td.date { white-space: nowrap; }
ul.plain { padding-left: 20px; margin: 6px 0; }
footer { margin-top: 28px; border-top: 1px solid var(--line); padding-top: 8px; }
footer p { margin: 4px 0; }
@media screen and (max-width: 600px) {
  body { padding: 16px 14px; }
  header { align-items: flex-start; flex-direction: column-reverse; gap: 10px; }
  svg .alt { display: none; }
  th, td { padding-right: 8px; }
  table.figures td.number, table.figures th.number { padding-left: 4px; white-space: normal; }
  .scroll table { min-width: 560px; }
  table.figures th:first-child { width: 46%; }
}
@page { size: A4; margin: 14mm 15mm 16mm; }
@media print {
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  html { font-size: 10.5pt; }
  body { max-width: none; padding: 0; }
  h2, h3, caption { break-after: avoid; }
  figure, tr, li, .notice { break-inside: avoid; }
  section.whole { break-inside: avoid; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
  body { overflow-wrap: anywhere; }
}
`;
}

export interface ReportPage {
  readonly clientName: string;
  readonly period: ReportPeriod;
  readonly language: Language;
  readonly figures: Figures;
  readonly sentences: readonly string[];
  readonly picture: RankPicture | undefined;
  readonly agency: AgencyConfig;
  /** `data:image/png;base64,…` */
  readonly logoUrl: string | undefined;
  /** What was not up to date although the report was wanted. */
  readonly blockers: readonly Blocker[];
  /** The date on which it is made. */
  readonly madeOn: string;
}

/** Pictures and styles stand in the file; a browser loads and runs nothing. */
const policy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function reportHtml(page: ReportPage): string {
  const { clientName, language, agency } = page;
  const words = reportWords[language];
  const period = periodText(page.period, language);
  const sections = [changedSection, rankSection, measuredSection, doneSection, nextSection, howToSection];
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>${clientName} · ${words.title} · ${period}</title>
<style>${trusted(reportStyle(agency))}</style>
</head>
<body>
<header>
<div><h1><bdi>${clientName}</bdi></h1><p>${words.title} · ${period}</p></div>
${agencyMark(page)}
</header>
<main>
${notice(page)}
${sections.map((section) => html`${section(page)}\n`)}
</main>
<footer>${agency.footer === undefined ? undefined : html`<p>${agency.footer}</p>`}<p>${words.madeOn(formatDate(page.madeOn, language))}</p></footer>
</body>
</html>
`.text;
}

function agencyMark({ agency: { name = '' }, logoUrl }: ReportPage): Html | undefined {
  if (logoUrl !== undefined) return html`<img src="${logoUrl}" alt="${name}">`;
  return name === '' ? undefined : html`<p><strong>${name}</strong></p>`;
}

function notice({ blockers, language }: ReportPage): Html | undefined {
  if (blockers.length === 0) return undefined;
  const words = reportWords[language];
  // Without the names of the API's routes: they say nothing to a client.
  const [oldest = ''] = blockers.map(({ completeUntil }) => completeUntil ?? '').sort();
  const until = oldest === '' ? undefined : formatDate(oldest, language);
  return html`<p class="notice" role="note">${words.withheldAnyway(until)}</p>`;
}

function changedSection({ sentences, language }: ReportPage): Html {
  return html`<section id="changed" class="whole"><h2>${reportWords[language].whatChanged}</h2>
<ul class="sentences">${sentences.map((sentence) => html`<li>${sentence}</li>\n`)}</ul></section>`;
}

function rankSection({ picture, figures, language }: ReportPage): Html {
  const { rankHeading, noRank, columns, method, position } = reportWords[language];
  const { newest, before } = figures.rank;
  if (picture === undefined || newest === undefined) {
    return html`<section id="rank"><h2>${rankHeading}</h2><p>${noRank}</p></section>`;
  }
  const date = (point: { readonly date: string }) => formatDate(point.date, language);
  const number = (value: number | null | undefined) => (value == null ? '' : formatNumber(value, language));
  const row = (name: string, then: number | null | undefined, now: number | null) => html`<tr>
<th scope="row">${name}</th><td class="number">${number(then)}</td><td class="number">${number(now)}</td></tr>`;
  return html`<section id="rank" class="whole"><h2>${rankHeading}</h2>
<figure data-chart="rank-trend"><figcaption>${picture.unit}</figcaption>
${trusted(picture.svg)}
</figure>
<table><thead><tr><th scope="col">${columns.figure}</th>
<th scope="col" class="number">${before === undefined ? columns.before : date(before)}</th>
<th scope="col" class="number">${date(newest)}</th></tr></thead>
<tbody>${row(method(newest.method), before?.score, newest.score)}
${newest.position === null ? undefined : row(position, before?.position, newest.position)}</tbody></table>
<p class="note">${picture.note}</p></section>`;
}

function measuredSection({ figures: { measured }, language }: ReportPage): Html | undefined {
  if (measured.length === 0) return undefined;
  const { columns, measured: heading, noVerdict } = reportWords[language];
  return html`<section id="measured"><h2>${heading}</h2><p class="note">${noVerdict}</p>
<table class="figures"><thead><tr><th scope="col">${columns.figure}</th><th scope="col" class="number">${columns.before}</th>
<th scope="col" class="number">${columns.now}</th></tr></thead><tbody>
${measured.map((one) => {
  const [name, before, now] = measuredCells(one, language);
  return html`<tr><th scope="row"><bdi>${name}</bdi></th><td class="number">${before}</td><td class="number">${now}</td></tr>\n`;
})}</tbody></table></section>`;
}

/** A figure as texts, for the page and for mails: what it is, before, and now with its interval. */
export function measuredCells(
  { kind, name, before, now }: Measured,
  language: Language,
): readonly [name: string, before: string, now: string] {
  const { kinds, interval, week } = reportWords[language];
  const spoken = kind === 'competitor' ? name : inLanguage(name, language);
  const value = (number: number) => (kind === 'engine' ? percent : formatNumber)(number, language);
  const { low, high } = now.interval ?? {};
  const around =
    low === undefined || high === undefined ? '' : ` (${interval(formatNumber(low, language), value(high))})`;
  const on = formatDate(now.date, language);
  return [
    kinds[kind](spoken, now.from === undefined ? on : week(formatDate(now.from, language), on)),
    before === undefined ? '' : value(before.value),
    `${value(now.value)}${around}`,
  ];
}

function howToSection({ language }: ReportPage): Html {
  const { howTo, howToRead } = reportWords[language];
  return html`<section id="how"><h2>${howTo}</h2>
<ul class="plain note">${howToRead.map((sentence) => html`<li>${sentence}</li>\n`)}</ul></section>`;
}
