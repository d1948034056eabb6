// A report as a mail: its sentences and one table, with the file attached. Mail clients take neither SVG nor styles.

import type { Mail, MailAttachment } from '../../mail/send-mail.ts';
import { formatChange, formatNumber } from '../dashboard/charts/format.ts';
import { html } from './html.ts';
import { gainsAndLosses } from './moves.ts';
import { periodText } from './period-text.ts';
import { moveCells, type ReportPage } from './report-html.ts';
import { reportWords } from './words.ts';

type Row = readonly [figure: string, before: string, now: string, change: string];

export function reportMail(page: ReportPage, to: readonly string[], attachment: MailAttachment): Mail {
  const { clientName, language, sentences, agency } = page;
  const words = reportWords[language];
  const period = periodText(page.period, language);
  const { columns } = words;
  const head: Row = [columns.figure, columns.before, columns.now, columns.change];
  const rows = rowsOf(page);
  const greeting = words.mailGreeting(clientName, period);
  const signature = [agency.name, agency.footer].filter((line) => line !== undefined);
  const text = [
    greeting,
    sentences.map((sentence) => `- ${sentence}`).join('\n'),
    ...(rows.length === 0 ? [] : [[head, ...rows].map((row) => row.join(' | ')).join('\n')]),
    words.mailAttached,
    ...(signature.length === 0 ? [] : [signature.join('\n')]),
  ].join('\n\n');
  const cell = 'padding:4px 12px 4px 0;border-bottom:1px solid #d0d7de;text-align:left';
  const body = html`<!doctype html><html lang="${language}"><body style="font-family:sans-serif;color:${agency.textColor}">
<p>${greeting}</p><ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>
${
  rows.length === 0
    ? undefined
    : html`<table style="border-collapse:collapse"><tr>${head.map((name) => html`<th style="${cell}">${name}</th>`)}</tr>
${rows.map((row) => html`<tr>${row.map((value) => html`<td style="${cell}">${value}</td>`)}</tr>\n`)}</table>`
}
<p>${words.mailAttached}</p>${signature.map((line) => html`<p>${line}</p>`)}</body></html>`;
  return {
    to,
    subject: `${clientName} · ${words.title} · ${period}`,
    text: `${text}\n`,
    html: body.text,
    attachments: [attachment],
  };
}

/** The AI Rank, then what gained and what lost most. */
function rowsOf({ figures, language }: ReportPage): readonly Row[] {
  const { newest, before } = figures.rank;
  const { gains, losses } = gainsAndLosses(figures);
  const number = (value: number | undefined) => (value === undefined ? '' : formatNumber(value, language));
  const change =
    newest === undefined || before === undefined ? '' : formatChange(newest.score - before.score, language);
  const rank: Row[] =
    newest === undefined
      ? []
      : [[reportWords[language].method(newest.method), number(before?.score), number(newest.score), change]];
  const moves = [...gains, ...losses].map((move): Row => {
    const cells = moveCells(move, language);
    return [cells.name, cells.before, cells.now, cells.change];
  });
  return [...rank, ...moves];
}
