// The file of a report: its name, and how it is written: whole or not at all.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hashText } from '../../core/text.ts';
import { writeWhole } from '../../core/write-whole.ts';
import type { Language } from '../dashboard/charts/chart.ts';
import type { ReportClient } from './clients.ts';
import type { ReportPeriod } from './period.ts';

export type FileType = 'html' | 'pdf';

/**
 * `agency.c7-2026-10-es.html`. The dot stands in no account and in no id that is taken as it is, so `a-b` and `c` are not
 * `a` and `b-c`. An id that is no file name, or that differs from another one by letter case only, gets a hash of its own.
 */
export function reportFileName(
  { account, id, key }: ReportClient,
  { kind, from, to, isSoFar }: ReportPeriod,
  language: Language,
  type: FileType,
): string {
  const safe = id.replaceAll(/[^a-z0-9_-]+/gi, '-').slice(0, 60);
  const isPlain = safe === id && id === id.toLowerCase();
  const name = isPlain ? safe : `${safe}.${(hashText(key) >>> 0).toString(36)}`;
  const date = kind === 'month' ? from.slice(0, 7) : from;
  // What is not over yet has another name each day: the whole one is still to come.
  return `${account}.${name}-${date}${isSoFar ? `-until-${to}` : ''}-${language}.${type}`;
}

/** Whole or not at all. Makes the folder. */
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
