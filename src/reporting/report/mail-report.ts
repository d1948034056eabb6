// Sends a report to those who have not got it, and notes at once who has.

import { parseMailAddress } from '../../config/addresses.ts';
import type { SmtpConfig } from '../../config/config.ts';
import { messageOf } from '../../core/errors.ts';
import type { Executor } from '../../db/database.ts';
import type { Mail, MailAttachment } from '../../mail/send-mail.ts';
import { type MailedReport, noteSent, readSentTo } from '../../status/report-sent.ts';
import type { Language } from '../dashboard/charts/chart.ts';
import { formatNumber } from '../dashboard/charts/format.ts';
import type { ReportClient } from './clients.ts';
import { periodText, type ReportPeriod } from './period.ts';
import { html, measuredCells, type ReportPage } from './report-html.ts';
import { reportWords } from './words.ts';

type Row = readonly [figure: string, before: string, now: string];

/** Its sentences and one table, with the file attached. Mail clients take neither SVG nor styles. */
export function reportMail(page: ReportPage, to: readonly string[], attachment: MailAttachment): Mail {
  const { clientName, language, sentences, agency } = page;
  const words = reportWords[language];
  const period = periodText(page.period, language);
  const { columns } = words;
  const head: Row = [columns.figure, columns.before, columns.now];
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

/** The AI Rank, then what has no verdict. */
function rowsOf({ figures: { rank, measured }, language }: ReportPage): readonly Row[] {
  const { newest, before } = rank;
  const number = (value: number | undefined) => (value === undefined ? '' : formatNumber(value, language));
  const method = (name: string) => reportWords[language].method(name);
  return [
    ...(newest === undefined
      ? []
      : [[method(newest.method), number(before?.score), number(newest.score)] as const]),
    ...measured.map((one) => measuredCells(one, language)),
  ];
}

export interface ReportMailing {
  readonly smtp: SmtpConfig;
  /** Of the warehouse, where it is noted who got what. */
  readonly db: Executor;
  /** @throws ConfigError where nobody gets it */
  readonly recipientsOf: (client: ReportClient) => readonly string[];
  /** Also to those who got it. */
  readonly again: boolean;
}

interface Recipients {
  readonly open: readonly string[];
  readonly had: readonly string[];
}

interface MailResult {
  /** The mail server took it for these. */
  readonly mailedTo: readonly string[];
  readonly unsentTo: readonly string[];
  /** Why; empty where all of them got it. */
  readonly why: string;
}

interface Which {
  readonly period: ReportPeriod;
  readonly language: Language;
}

export async function readRecipients(
  client: ReportClient,
  mailing: ReportMailing | undefined,
  which: Which,
): Promise<Recipients> {
  if (mailing === undefined) return { open: [], had: [] };
  const all = mailing.recipientsOf(client);
  if (mailing.again) return { open: all, had: [] };
  const sent = await readSentTo(mailing.db, mailedReport(client, which));
  return {
    open: all.filter((address) => !sent.has(bare(address))),
    had: all.filter((address) => sent.has(bare(address))),
  };
}

interface ReportFile {
  readonly file: string;
  readonly type: 'html' | 'pdf';
  readonly content: string | Uint8Array;
}

/** @throws whatever ends the work: an abort; an error of the warehouse */
export async function mailReport(
  client: ReportClient,
  { smtp, db }: Pick<ReportMailing, 'smtp' | 'db'>,
  page: ReportPage,
  { to, attached, signal }: { to: readonly string[]; attached: ReportFile; signal: AbortSignal },
): Promise<MailResult> {
  // Loaded here: most reports are not mailed.
  const { sendMail } = await import('../../mail/send-mail.ts');
  const attachment = {
    fileName: attached.file.split(/[/\\]/).at(-1) ?? attached.file,
    type: attached.type === 'pdf' ? 'application/pdf' : 'text/html; charset=utf-8',
    content: attached.content,
  };
  const sent = await sendMail(smtp, reportMail(page, to, attachment), { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    return messageOf(error);
  });
  if (typeof sent === 'string') return { mailedTo: [], unsentTo: to, why: sent };
  const refused = new Set(sent.refused.map(bare));
  const mailedTo = to.filter((address) => !refused.has(bare(address)));
  // Whatever was asked of the process meanwhile: they have it.
  await noteSent(db, mailedReport(client, page), mailedTo.map(bare));
  const unsentTo = to.filter((address) => refused.has(bare(address)));
  return { mailedTo, unsentTo, why: unsentTo.length === 0 ? '' : 'the mail server refused the address' };
}

function mailedReport({ account, id }: ReportClient, { period, language }: Which): MailedReport {
  return { account, clientId: id, from: period.from, to: period.to, language };
}

function bare(address: string): string {
  return (parseMailAddress(address)?.address ?? address).toLowerCase();
}
