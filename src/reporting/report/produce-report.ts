// Makes a client's report, writes its file, and then mails it to those who have not got it: a file that cannot be written
// mails nothing, and who was refused is tried again.
import { ConfigError, messageOf } from '../../core/errors.ts';
import { blockerText } from './blockers.ts';
import type { ReportClient } from './clients.ts';
import { mailReport, type ReportMailing, readRecipients } from './mail-report.ts';
import { type MakeOptions, makeReport } from './make-report.ts';
import { type FileType, isFile, writeReportFile } from './report-file.ts';

export interface ProduceOptions extends MakeOptions {
  readonly fileOf: (client: ReportClient) => string;
  /** Also where the file is there. */
  readonly again: boolean;
  /** Undefined: the file is HTML. */
  readonly toPdf: ((html: string, signal: AbortSignal) => Promise<Uint8Array>) | undefined;
  readonly mail: ReportMailing | undefined;
  readonly signal: AbortSignal;
}

/**
 * `there`: it was made before, and everybody has it; `left`: what it reads is stale or failed, and stays so, because the
 * client left.
 */
export type OutcomeState = 'written' | 'there' | 'withheld' | 'left' | 'empty' | 'failed';

export interface Outcome {
  readonly client: ReportClient;
  readonly state: OutcomeState;
  readonly file: string;
  /** Addresses that it went to now. */
  readonly mailedTo: readonly string[];
  /** Addresses that are still to get it. */
  readonly unsentTo: readonly string[];
  /** Addresses that got it before. */
  readonly hadIt: readonly string[];
  /** Why it is not made or not sent; empty: nothing to say. */
  readonly detail: string;
}

/** @throws ConfigError, and whatever ends the work: an abort */
export async function produceReport(client: ReportClient, options: ProduceOptions): Promise<Outcome> {
  const { again, mail, signal, toPdf } = options;
  const file = options.fileOf(client);
  const outcome = { client, file, mailedTo: [], unsentTo: [], hadIt: [], detail: '' };
  try {
    const { open: to, had: hadIt } = await readRecipients(client, mail, options);
    if (!again && to.length === 0 && (await isFile(file))) return { ...outcome, state: 'there', hadIt };
    // Also where only a mail is missing, so that its words and its file say the same.
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
