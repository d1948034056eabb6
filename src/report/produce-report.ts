// Makes a client's report, mails it where that is wanted, and writes its file: in this order, so that a file that is
// there says that all of it was done.
import type { SmtpConfig } from '../config/config.ts';
import { ConfigError, messageOf } from '../core/errors.ts';
import type { SentMail } from '../mail/send-mail.ts';
import { blockerText } from './blockers.ts';
import type { ReportClient } from './clients.ts';
import { type MakeOptions, makeReport } from './make-report.ts';
import { type FileType, isFile, writeReportFile } from './report-file.ts';
import { reportMail } from './report-mail.ts';

export interface ProduceOptions extends MakeOptions {
  readonly fileOf: (client: ReportClient) => string;
  /** Also where the file is there. */
  readonly again: boolean;
  /** Undefined: the file is HTML. */
  readonly toPdf: ((html: string, signal: AbortSignal) => Promise<Uint8Array>) | undefined;
  readonly mail: ReportMailing | undefined;
  readonly signal: AbortSignal;
}

export interface ReportMailing {
  readonly smtp: SmtpConfig;
  /** @throws ConfigError where nobody gets it */
  readonly recipientsOf: (client: ReportClient) => readonly string[];
}

/** `there`: it was made before. */
export type OutcomeState = 'written' | 'there' | 'withheld' | 'empty' | 'failed';

export interface Outcome {
  readonly client: ReportClient;
  readonly state: OutcomeState;
  readonly file: string;
  /** Addresses that it went to. */
  readonly mailedTo: readonly string[];
  /** Why it is withheld or failed, or which addresses the server refused; empty: nothing to say. */
  readonly detail: string;
}

/** @throws ConfigError, and whatever ends the work: an abort */
export async function produceReport(client: ReportClient, options: ProduceOptions): Promise<Outcome> {
  const file = options.fileOf(client);
  const outcome = { client, file, mailedTo: [], detail: '' };
  if (!options.again && (await isFile(file))) return { ...outcome, state: 'there' };
  const to = options.mail?.recipientsOf(client);
  try {
    const made = await makeReport(client, options);
    if (made.state === 'empty') return { ...outcome, state: 'empty' };
    if (made.state === 'withheld') {
      return { ...outcome, state: 'withheld', detail: blockerText(made.blockers) };
    }
    const content = options.toPdf === undefined ? made.html : await options.toPdf(made.html, options.signal);
    const type: FileType = options.toPdf === undefined ? 'html' : 'pdf';
    const sent =
      options.mail === undefined || to === undefined
        ? undefined
        : await sendReport(options.mail.smtp, made.page, { to, file, type, content, signal: options.signal });
    await writeReportFile(file, content);
    const refused = sent?.refused ?? [];
    const detail = refused.length === 0 ? '' : `the mail server refused ${refused.join(', ')}`;
    return { ...outcome, state: 'written', mailedTo: to ?? [], detail };
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof ConfigError) throw error;
    return { ...outcome, state: 'failed', detail: messageOf(error) };
  }
}

async function sendReport(
  smtp: SmtpConfig,
  page: Parameters<typeof reportMail>[0],
  {
    to,
    file,
    type,
    content,
    signal,
  }: {
    readonly to: readonly string[];
    readonly file: string;
    readonly type: FileType;
    readonly content: string | Uint8Array;
    readonly signal: AbortSignal;
  },
): Promise<SentMail> {
  // Loaded here: most reports are not mailed.
  const { sendMail } = await import('../mail/send-mail.ts');
  const fileName = file.split(/[/\\]/).at(-1) ?? file;
  const attachment = {
    fileName,
    type: type === 'pdf' ? 'application/pdf' : 'text/html; charset=utf-8',
    content,
  };
  return await sendMail(smtp, reportMail(page, to, attachment), { signal });
}
