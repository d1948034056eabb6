// Sends a report to those who have not received it, and notes at once who has.

import { parseMailAddress } from '../../config/addresses.ts';
import type { SmtpConfig } from '../../config/config.ts';
import { messageOf } from '../../core/errors.ts';
import type { Executor } from '../../db/database.ts';
import type { Mail, MailAttachment } from '../../mail/send-mail.ts';
import { type MailedReport, noteSent, readSentTo } from '../../status/report-sent.ts';
import type { Language } from '../dashboard/charts/chart.ts';
import { fill } from '../dashboard/charts/format.ts';
import { h, textOf } from '../dashboard/charts/tree.ts';
import type { ReportClient } from './clients.ts';
import { periodText, type ReportPeriod } from './period.ts';
import { findingsOf, type ReportPage } from './report-html.ts';

/** Writes the findings as a mail with the file attached, as mail clients show neither SVG nor styles. */
export function reportMail(page: ReportPage, to: readonly string[], attachment: MailAttachment): Mail {
  const { clientName, language, agency } = page;
  const findings = findingsOf(page);
  const period = periodText(page.period, language);
  const greeting = fill('Visibility of {client} in AI answers, {period}:', language, {
    client: clientName,
    period,
  });
  const attached = fill('The whole report is attached; it opens in any browser and prints on A4.', language);
  const signature = [agency.name, agency.footer].filter((line) => line !== undefined);
  const text = [
    greeting,
    ...(findings.length === 0 ? [] : [findings.map((one) => `- ${one}`).join('\n')]),
    attached,
    ...(signature.length === 0 ? [] : [signature.join('\n')]),
  ].join('\n\n');
  const body = h(
    'body',
    { style: `font-family:sans-serif;color:${agency.textColor}` },
    h('p', greeting),
    h('ul', ...findings.map((one) => h('li', one))),
    ...[attached, ...signature].map((line) => h('p', line)),
  );
  return {
    to,
    subject: `${clientName} · ${fill('Visibility in AI answers', language)} · ${period}`,
    text: `${text}\n`,
    html: `<!doctype html>${textOf(h('html', { lang: language }, body))}`,
    attachments: [attachment],
  };
}

export interface ReportMailing {
  readonly smtp: SmtpConfig;
  readonly db: Executor;
  /** @throws ConfigError if nobody is to receive it */
  readonly recipientsOf: (client: ReportClient) => readonly string[];
  /** Sends it again to those who have it. */
  readonly again: boolean;
}

interface Recipients {
  readonly open: readonly string[];
  readonly had: readonly string[];
}

interface MailResult {
  readonly mailedTo: readonly string[];
  readonly unsentTo: readonly string[];
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

/** @throws whatever ends the work, such as an abort or an error of the warehouse */
export async function mailReport(
  client: ReportClient,
  { smtp, db }: Pick<ReportMailing, 'smtp' | 'db'>,
  page: ReportPage,
  { to, attached, signal }: { to: readonly string[]; attached: ReportFile; signal: AbortSignal },
): Promise<MailResult> {
  // Loaded here, as most reports are not mailed.
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
  // Noted even if the process was asked to stop meanwhile, because they have it.
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
