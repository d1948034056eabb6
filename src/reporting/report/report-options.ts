// What every way to make reports starts with: the flags and the settings as one value.
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../core/errors.ts';
import { type RunDate, runDateIn } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import type { Language } from '../dashboard/charts/chart.ts';
import type { ReportClient } from './clients.ts';
import { readLogo } from './logo.ts';
import type { ReportMailing } from './mail-report.ts';
import { type PeriodKind, reportPeriod } from './period.ts';
import { findChromium, printPdf } from './print-pdf.ts';
import type { ProduceOptions } from './produce-report.ts';
import { recipientsOf } from './recipients.ts';
import { type FileType, reportFileName } from './report-file.ts';

export interface ReportWish {
  readonly period: PeriodKind;
  /** A date of the period; undefined: the last that is over. */
  readonly date: RunDate | undefined;
  readonly language: Language | undefined;
  readonly pdf: boolean;
  readonly mail: boolean;
  readonly anyway: boolean;
  readonly again: boolean;
  /** Also to those who got it. */
  readonly mailAgain: boolean;
  /** IANA zone whose date counts. */
  readonly timeZone: string;
}

/** Without what an open warehouse gives. */
export type ReportOptions = Omit<ProduceOptions, 'pool' | 'fileOf' | 'mail'> & {
  readonly fileNameOf: (client: ReportClient) => string;
  /** Undefined: nothing is mailed. */
  readonly mailing: ((all: readonly ReportClient[], db: Executor) => ReportMailing) | undefined;
};

/** @throws ConfigError for a period without a day, a logo that is no picture, mails without a server, no Chromium */
export async function readReportOptions(
  wish: ReportWish,
  config: Config,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  now = new Date(),
): Promise<ReportOptions> {
  const { agency, smtp, report, chromium } = config;
  const today = runDateIn(wish.timeZone, now);
  const period = reportPeriod(wish.period, wish.date, today);
  const language = wish.language ?? config.language;
  if (wish.mail && smtp === undefined) {
    throw new ConfigError(['Expected AIRANK_SMTP_URL to be set for reports by mail, got nothing']);
  }
  const program = wish.pdf ? await findChromium(chromium, env['PATH']) : undefined;
  const type: FileType = wish.pdf ? 'pdf' : 'html';
  return {
    period,
    language,
    agency,
    logoUrl: await readLogo(agency.logo),
    today,
    anyway: wish.anyway,
    notes: report.notes,
    again: wish.again,
    toPdf: program === undefined ? undefined : (html, stop) => printPdf(program, html, { signal: stop }),
    signal,
    fileNameOf: (client) => reportFileName(client, period, language, type),
    mailing:
      wish.mail && smtp !== undefined
        ? (all, db) => ({
            smtp,
            db,
            recipientsOf: (client) => recipientsOf(client, all, report),
            again: wish.mailAgain,
          })
        : undefined,
  };
}

/** Where the files of several clients go: a folder for each period. */
export function folderOf(folder: string, { period }: Pick<ReportOptions, 'period'>): string {
  return join(folder, period.kind === 'month' ? period.from.slice(0, 7) : period.from);
}
