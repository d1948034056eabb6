// Makes a client's report, writes its file, and then mails it to those who have not received it. A file that cannot be
// written mails nothing; a refused recipient is tried again next time.

import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type pg from 'pg';
import type { AgencyConfig } from '../../config/config.ts';
import { ConfigError, messageOf } from '../../core/errors.ts';
import { writeWhole } from '../../core/files.ts';
import type { RunDate } from '../../core/run-date.ts';
import type { Language, Period } from '../dashboard/charts/chart.ts';
import { clientFileName } from '../dashboard/document/write-dashboards.ts';
import { readReportSlices } from '../reader/statements.ts';
import { type Blocker, blockerText, findBlockers } from './blockers.ts';
import type { ReportClient } from './clients.ts';
import { mailReport, type ReportMailing, readRecipients } from './mail-report.ts';
import type { ReportPeriod } from './period.ts';
import { isEmpty, readReport } from './read-report.ts';
import { type ReportPage, reportHtml } from './report-html.ts';

export interface MakeOptions {
  readonly pool: pg.Pool;
  readonly period: ReportPeriod;
  readonly language: Language;
  readonly agency: AgencyConfig;
  readonly logoUrl: string | undefined;
  readonly today: RunDate;
  /** Makes the report even if its data is stale or failed; it then says so. */
  readonly anyway: boolean;
  readonly notes: boolean;
}

type MadeReport =
  | { readonly state: 'made'; readonly page: ReportPage; readonly html: string }
  | { readonly state: 'withheld'; readonly blockers: readonly Blocker[] }
  /** Nothing was measured in the period. */
  | { readonly state: 'empty' };

export async function makeReport(client: ReportClient, options: MakeOptions): Promise<MadeReport> {
  const { pool, period, language, agency, logoUrl, today, anyway, notes } = options;
  const whose = { account: client.account, clientId: client.id };
  const blockers = findBlockers(await readReportSlices(pool, whose), client.id, period.to);
  if (blockers.length > 0 && !anyway) return { state: 'withheld', blockers };
  const data = await readReport(pool, whose, period, notes);
  if (isEmpty(data, period)) return { state: 'empty' };
  const page: ReportPage = {
    clientName: client.name,
    period,
    language,
    data,
    agency,
    logoUrl,
    blockers,
    madeOn: today,
  };
  return { state: 'made', page, html: reportHtml(page) };
}

export type FileType = 'html' | 'pdf';

/** Returns the client's name as part of a file's; empty if it has neither letters nor digits. */
function namePart(name: string): string {
  const words = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return [...(words ?? []).join('-')].slice(0, 30).join('');
}

/** `bodega-roble.agency.c7-2026-10-es.html`. */
export function reportFileName(
  { account, id, name }: ReportClient,
  { kind, from, to, isSoFar }: ReportPeriod,
  language: Language,
  type: FileType,
): string {
  const date = kind === 'month' ? from.slice(0, 7) : from;
  // A period that is not over gets another name each day, as its final report is still to come.
  const whose = [namePart(name), clientFileName(account, id)].filter((part) => part !== '').join('.');
  return `${whose}-${date}${isSoFar ? `-until-${to}` : ''}-${language}.${type}`;
}

/** Writes whole or not at all, and creates the folder. */
export async function writeReportFile(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeWhole(file, [content]);
}

export async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

export interface ProduceOptions extends MakeOptions {
  readonly fileOf: (client: ReportClient) => string;
  readonly again: boolean;
  /** Undefined for HTML. */
  readonly toPdf: ((html: string, signal: AbortSignal) => Promise<Uint8Array>) | undefined;
  readonly mail: ReportMailing | undefined;
  readonly signal: AbortSignal;
}

/**
 * `there`: it was made before, and everybody has it; `left`: its data is stale or failed, and stays so because the
 * client left.
 */
type OutcomeState = 'written' | 'there' | 'withheld' | 'left' | 'empty' | 'failed';

export interface Outcome {
  readonly client: ReportClient;
  readonly state: OutcomeState;
  readonly file: string;
  readonly mailedTo: readonly string[];
  readonly unsentTo: readonly string[];
  readonly hadIt: readonly string[];
  readonly detail: string;
}

/** @throws ConfigError, and whatever ends the work, such as an abort */
export async function produceReport(client: ReportClient, options: ProduceOptions): Promise<Outcome> {
  const { again, mail, signal, toPdf } = options;
  const file = options.fileOf(client);
  const outcome = { client, file, mailedTo: [], unsentTo: [], hadIt: [], detail: '' };
  try {
    const { open: to, had: hadIt } = await readRecipients(client, mail, options);
    if (!again && to.length === 0 && (await isFile(file))) return { ...outcome, state: 'there', hadIt };
    // Made even if just a mail is missing, so that its words and its file agree.
    const made = await makeReport(client, options);
    if (made.state === 'empty') return { ...outcome, state: 'empty' };
    if (made.state === 'withheld') {
      const detail = blockerText(made.blockers);
      if (client.leftOn === null) return { ...outcome, state: 'withheld', detail };
      return { ...outcome, state: 'left', detail: `left on ${client.leftOn}; ${detail}` };
    }
    const content = toPdf === undefined ? made.html : await toPdf(made.html, signal);
    const type: FileType = toPdf === undefined ? 'html' : 'pdf';
    await writeReportFile(file, content);
    if (mail === undefined || to.length === 0) return { ...outcome, state: 'written', hadIt };
    const attached = { file, type, content };
    const { why, ...sent } = await mailReport(client, mail, made.page, { to, attached, signal });
    return { ...outcome, ...sent, state: 'written', hadIt, detail: why };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConfigError) throw error;
    return { ...outcome, state: 'failed', detail: messageOf(error) };
  }
}

/** Returns clients that were there at the end of the period. */
export function clientsOf(
  clients: readonly ReportClient[],
  { to }: Pick<ReportPeriod, 'to'>,
): readonly ReportClient[] {
  return clients.filter(({ leftOn }) => leftOn === null || leftOn > to);
}

/** @throws ConfigError if one of them has no recipient, before the first report is made */
export async function produceAll(
  clients: readonly ReportClient[],
  options: ProduceOptions,
  onOutcome: (outcome: Outcome, done: number) => void = () => undefined,
): Promise<readonly Outcome[]> {
  for (const client of clients) options.mail?.recipientsOf(client);
  const outcomes: Outcome[] = [];
  for (const client of clients) {
    options.signal.throwIfAborted();
    const outcome = await produceReport(client, options);
    outcomes.push(outcome);
    onOutcome(outcome, outcomes.length);
  }
  return outcomes;
}

export function countOf(outcomes: readonly Outcome[], state: OutcomeState): number {
  return outcomes.filter((outcome) => outcome.state === state).length;
}

export function outcomeJson(outcomes: readonly Outcome[], { from, to }: Period) {
  return {
    from,
    to,
    reports: outcomes.map(({ client, state, file, mailedTo, unsentTo, detail }) => ({
      client_key: client.key,
      client_name: client.name,
      state,
      file: state === 'written' || state === 'there' ? file : null,
      mailed_to: mailedTo,
      not_mailed_to: unsentTo,
      detail: detail === '' ? null : detail,
    })),
  };
}
