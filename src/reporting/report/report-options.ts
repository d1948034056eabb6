// Reads flags and settings into the one value from which all reports are made.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { ConfigError, messageOf } from '../../core/errors.ts';
import { type RunDate, runDateIn } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import type { Language } from '../dashboard/charts/chart.ts';
import { type ReportClient, recipientsOf } from './clients.ts';
import type { ReportMailing } from './mail-report.ts';
import { type PeriodKind, reportPeriod } from './period.ts';
import { findChromium, printPdf } from './print-pdf.ts';
import { type FileType, type ProduceOptions, reportFileName } from './produce-report.ts';

const mostBytes = 1024 * 1024;

/**
 * Reads the logo as a data URL, by content and not by name. @throws ConfigError if the file is missing, or not a PNG or
 * JPEG
 */
export async function readLogo(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const place = 'Expected agency.logo to be a PNG or JPEG of at most 1 MiB';
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new ConfigError([`${place}, got ${JSON.stringify(path)}: ${messageOf(error)}`]);
  });
  if (bytes.length > mostBytes) throw new ConfigError([`${place}, got ${bytes.length} bytes`]);
  const type = pictureType(bytes);
  if (type === undefined) {
    const isSvg = /<svg[\s>]/i.test(bytes.subarray(0, 2_000).toString('latin1'));
    const got = isSvg ? 'an SVG, which could hold a script' : 'a file that is neither';
    throw new ConfigError([`${place}, got ${got} (${JSON.stringify(path)}). Save it as PNG`]);
  }
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** Tells the type by the first bytes, and requires a size above zero. */
function pictureType(bytes: Buffer): 'image/png' | 'image/jpeg' | undefined {
  if (bytes.subarray(0, 16).equals(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))) {
    const isSized = bytes.length > 45 && bytes.readUInt32BE(16) > 0 && bytes.readUInt32BE(20) > 0;
    return isSized ? 'image/png' : undefined;
  }
  const isJpeg = bytes.length > 100 && bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'));
  return isJpeg && bytes.includes(Buffer.from('ffda', 'hex')) ? 'image/jpeg' : undefined;
}

interface WantedReport {
  readonly period: PeriodKind;
  /** A date in the period; undefined for the last period that is over. */
  readonly date: RunDate | undefined;
  readonly language: Language | undefined;
  readonly pdf: boolean;
  readonly mail: boolean;
  readonly anyway: boolean;
  readonly again: boolean;
  /** Mails it again to those who have it. */
  readonly mailAgain: boolean;
  /** IANA time zone that decides today's date. */
  readonly timeZone: string;
}

/** Leaves out what an open warehouse provides. */
export type ReportOptions = Omit<ProduceOptions, 'pool' | 'fileOf' | 'mail'> & {
  readonly fileNameOf: (client: ReportClient) => string;
  readonly mailing: ((all: readonly ReportClient[], db: Executor) => ReportMailing) | undefined;
};

/** @throws ConfigError for a period without a day, a logo that is no picture, mails without a server, or no Chromium */
export async function readReportOptions(
  given: WantedReport,
  config: Config,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  now = new Date(),
): Promise<ReportOptions> {
  const { agency, smtp, report, chromium } = config;
  const today = runDateIn(given.timeZone, now);
  const period = reportPeriod(given.period, given.date, today);
  const language = given.language ?? config.language;
  if (given.mail && smtp === undefined) {
    throw new ConfigError(['Expected AIRANK_SMTP_URL to be set for reports by mail, got nothing']);
  }
  const program = given.pdf ? await findChromium(chromium, env['PATH']) : undefined;
  const type: FileType = given.pdf ? 'pdf' : 'html';
  return {
    period,
    language,
    agency,
    logoUrl: await readLogo(agency.logo),
    today,
    anyway: given.anyway,
    notes: report.notes,
    again: given.again,
    toPdf: program === undefined ? undefined : (html, stop) => printPdf(program, html, { signal: stop }),
    signal,
    fileNameOf: (client) => reportFileName(client, period, language, type),
    mailing:
      given.mail && smtp !== undefined
        ? (all, db) => ({
            smtp,
            db,
            recipientsOf: (client) => recipientsOf(client, all, report),
            again: given.mailAgain,
          })
        : undefined,
  };
}

export function folderOf(folder: string, { period }: Pick<ReportOptions, 'period'>): string {
  return join(folder, period.kind === 'month' ? period.from.slice(0, 7) : period.from);
}
