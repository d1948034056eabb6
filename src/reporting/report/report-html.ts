// A report as one HTML file: no script, nothing from elsewhere, every text of the data escaped.
import type { AgencyConfig } from '../../config/config.ts';
import type { Language } from '../dashboard/charts/chart.ts';
import { formatChange, formatDate, formatNumber } from '../dashboard/charts/format.ts';
import { doneSection, nextSection } from './action-sections.ts';
import type { Blocker } from './blockers.ts';
import type { Figures } from './figures.ts';
import { type Html, html, trusted } from './html.ts';
import { gainsAndLosses, type Move } from './moves.ts';
import type { ReportPeriod } from './period.ts';
import { periodText } from './period-text.ts';
import type { RankPicture } from './rank-picture.ts';
import { percent } from './sentences.ts';
import { reportWords, wordOf } from './words.ts';

// How a report looks on a screen and on A4.
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
figure svg { display: block; width: 100%; height: auto; }
figure .narrow { display: none; }
figcaption, .note, footer { color: var(--muted); font-size: 13px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 4px 0 0; }
table.figures { table-layout: fixed; }
table.figures th:first-child { width: 52%; }
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
  figure .wide { display: none; }
  figure .narrow { display: block; }
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
  const sections = [changedSection, rankSection, movesSection, doneSection, nextSection, howToSection];
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
  const streams = blockers.map(({ stream, completeUntil }) =>
    words.streamUntil(stream, completeUntil === null ? undefined : formatDate(completeUntil, language)),
  );
  return html`<p class="notice" role="note">${words.withheldAnyway(streams.join(', '))}</p>`;
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
<th scope="row">${name}</th><td class="number">${number(then)}</td><td class="number">${number(now)}</td>
<td class="number">${then == null || now == null ? '' : formatChange(now - then, language)}</td></tr>`;
  return html`<section id="rank" class="whole"><h2>${rankHeading}</h2>
<figure data-chart="rank-trend"><figcaption>${picture.unit}</figcaption>
${picture.svgs.map(({ width, svg }) => html`<div class="${width}">${trusted(svg)}</div>\n`)}
</figure>
<table><thead><tr><th scope="col">${columns.figure}</th>
<th scope="col" class="number">${before === undefined ? columns.before : date(before)}</th>
<th scope="col" class="number">${date(newest)}</th><th scope="col" class="number">${columns.change}</th></tr></thead>
<tbody>${row(method(newest.method), before?.score, newest.score)}
${newest.position === null ? undefined : row(position, before?.position, newest.position)}</tbody></table>
<p class="note">${picture.note}</p></section>`;
}

function movesSection({ figures, language }: ReportPage): Html {
  const { gains, losses, compared } = gainsAndLosses(figures);
  const words = reportWords[language];
  const [noGains, noLosses] = [words.noGains, words.noLosses].map((none) =>
    compared === 0 ? words.nothingCompared : none(compared),
  );
  return html`<section id="moves">
<div class="whole"><h2>${words.gains}</h2>${moves(gains, noGains ?? '', language)}</div>
<div class="whole"><h2>${words.losses}</h2>${moves(losses, noLosses ?? '', language)}</div></section>`;
}

function moves(all: readonly Move[], none: string, language: Language): Html {
  if (all.length === 0) return html`<p>${none}</p>`;
  const { columns, points } = reportWords[language];
  return html`<table class="figures"><thead><tr><th scope="col">${columns.figure}</th><th scope="col" class="number">${columns.before}</th>
<th scope="col" class="number">${columns.now}</th><th scope="col" class="number">${points}</th></tr></thead><tbody>
${all.map((move) => {
  const { name, before, now, change } = moveCells(move, language);
  return html`<tr><th scope="row"><bdi>${name}</bdi></th><td class="number">${before}</td><td class="number">${now}</td>
<td class="number">${change}</td></tr>\n`;
})}</tbody></table>`;
}

/** A move as texts, for the page and for mails. */
export function moveCells(
  { kind, name, before, now }: Move,
  language: Language,
): { readonly name: string; readonly before: string; readonly now: string; readonly change: string } {
  const { kinds } = reportWords[language];
  const spoken = kind === 'dimension' ? wordOf(name, language) : name;
  const value = (reading: number) =>
    kind === 'question' ? percent(reading, language) : formatNumber(reading, language);
  return {
    name: kinds[kind](spoken),
    before: value(before.value),
    now: value(now.value),
    change: formatChange(now.value - before.value, language),
  };
}

function howToSection({ language }: ReportPage): Html {
  const { howTo, howToRead } = reportWords[language];
  return html`<section id="how"><h2>${howTo}</h2>
<ul class="plain note">${howToRead.map((sentence) => html`<li>${sentence}</li>\n`)}</ul></section>`;
}
