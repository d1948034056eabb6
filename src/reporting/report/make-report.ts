// One client's report of a period, from the data to the file; or why there is none.
import type pg from 'pg';
import type { AgencyConfig } from '../../config/config.ts';
import type { RunDate } from '../../core/run-date.ts';
import type { Language } from '../dashboard/charts/chart.ts';
import { readChart } from '../reader/read-chart.ts';
import { readReportSlices } from '../reader/read-report.ts';
import { type Blocker, findBlockers } from './blockers.ts';
import type { ReportClient } from './clients.ts';
import { isEmpty, readFigures } from './figures.ts';
import type { ReportPeriod } from './period.ts';
import { drawRank } from './rank-picture.ts';
import { type ReportPage, reportHtml } from './report-html.ts';
import { sentencesOf } from './sentences.ts';

export interface MakeOptions {
  /** Of a role that reads `bi`. */
  readonly pool: pg.Pool;
  readonly period: ReportPeriod;
  readonly language: Language;
  readonly agency: AgencyConfig;
  readonly logoUrl: string | undefined;
  readonly today: RunDate;
  /** Made although what it reads is stale or failed, and says so. */
  readonly anyway: boolean;
  /** Shows the agency's own notes to the client. */
  readonly notes: boolean;
}

export type MadeReport =
  | { readonly state: 'made'; readonly page: ReportPage; readonly html: string }
  | { readonly state: 'withheld'; readonly blockers: readonly Blocker[] }
  /** Nothing was measured in the period. */
  | { readonly state: 'empty' };

export async function makeReport(client: ReportClient, options: MakeOptions): Promise<MadeReport> {
  const { pool, period, language, agency, logoUrl, today, anyway, notes } = options;
  const whose = { account: client.account, clientId: client.id };
  const blockers = findBlockers(await readReportSlices(pool, whose), client.id, period.to);
  if (blockers.length > 0 && !anyway) return { state: 'withheld', blockers };
  const { from, to, before } = period;
  const read = await readFigures(pool, { ...whose, from, to, beforeFrom: before.from });
  const figures = notes ? read : { ...read, notes: [] };
  if (isEmpty(figures)) return { state: 'empty' };
  const sentences = sentencesOf(figures, language);
  const rank = await readChart(pool, 'rank-trend', { ...whose, from: before.from, to });
  const picture = await drawRank(figures, {
    rows: rank.rows,
    period,
    language,
    accentColor: agency.accentColor,
    label: sentences[0] ?? '',
  });
  const page: ReportPage = {
    clientName: client.name,
    period,
    language,
    figures,
    sentences,
    picture,
    agency,
    logoUrl,
    blockers,
    madeOn: today,
  };
  return { state: 'made', page, html: reportHtml(page) };
}
