// What a job of kind report does: the reports of the period that was over when it was due, into the data folder.
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { runDateIn } from '../../core/run-date.ts';
import { plural } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import type { Period } from '../../reporting/dashboard/charts/chart.ts';
import { openReader } from '../../reporting/reader/open-reader.ts';
import { type ReportClient, readClientsToReport } from '../../reporting/report/clients.ts';
import {
  clientsOf,
  countOf,
  type Outcome,
  outcomeJson,
  produceAll,
} from '../../reporting/report/produce-report.ts';
import { folderOf, readReportOptions } from '../../reporting/report/report-options.ts';
import type { ReportJob } from '../define-job.ts';
import { patternOf } from '../schedule/job-shape.ts';
import { zoneOf } from '../schedule/overdue.ts';
import type { KindWork } from '../schedule/run-job.ts';

const mostNamed = 5;

export interface ReportWorkInput {
  readonly config: Config;
  readonly warehouseUrl: string;
  readonly db: Executor;
  readonly env: NodeJS.ProcessEnv;
  readonly onOutcome?: (
    outcome: Outcome,
    period: Period,
    place: { readonly done: number; readonly of: number },
  ) => void;
}

/** What is there is not made again and who got it gets no other one, so a run that failed goes on where it was. */
export function reportWork({
  config,
  warehouseUrl,
  db,
  env,
  onOutcome,
}: ReportWorkInput): KindWork['report'] {
  return async (job, dueAt, signal) => {
    const wish = {
      period: job.period,
      date: undefined,
      language: job.language,
      pdf: job.pdf === true,
      mail: job.mail === true && config.smtp !== undefined,
      anyway: false,
      again: false,
      mailAgain: false,
      timeZone: zoneOf(job, config.timeZone),
    };
    const options = await readReportOptions(wish, config, env, signal, dueAt);
    const reader = await openReader({ readerUrl: config.readerUrl?.reveal(), warehouseUrl });
    try {
      const all = await readClientsToReport(reader.pool);
      const folder = folderOf(join(config.dataDir, 'reports'), options);
      const clients = clientsOf(all, options.period).filter(fits(job));
      if (clients.length === 0) return { missing: nobodyText(options.period), summary: null };
      const outcomes = await produceAll(
        clients,
        {
          ...options,
          today: runDateIn(wish.timeZone, new Date()),
          pool: reader.pool,
          mail: options.mailing?.(all, db),
          fileOf: (client) => join(folder, options.fileNameOf(client)),
        },
        (outcome, done) => onOutcome?.(outcome, options.period, { done, of: clients.length }),
      );
      return {
        missing: missingText(outcomes, options.period),
        summary: outcomeJson(outcomes, options.period),
      };
    } finally {
      await reader.close();
    }
  };
}

function fits({ accounts, clients }: ReportJob): (client: ReportClient) => boolean {
  const isLike = patternOf(clients);
  return ({ account, id }) =>
    (!Array.isArray(accounts) || accounts.includes(account)) &&
    (!Array.isArray(clients) || clients.includes(id)) &&
    (isLike === undefined || isLike(id));
}

function nobodyText({ to }: Period): string {
  return `no client fits its accounts and clients and was there on ${to}`;
}

/** In names of clients, streams and addresses: it goes to webhooks. */
function missingText(outcomes: readonly Outcome[], { from, to }: Period): string | undefined {
  if (countOf(outcomes, 'empty') === outcomes.length) {
    return `every report would be empty: nothing was measured from ${from} to ${to}`;
  }
  const missing = outcomes.filter(({ state }) => state === 'failed' || state === 'withheld');
  const unsent = outcomes.filter(({ unsentTo }) => unsentTo.length > 0);
  const all = [...missing, ...unsent];
  if (all.length === 0) return undefined;
  const named = all.slice(0, mostNamed).map(({ client, state, detail, unsentTo }) => {
    if (state === 'withheld') return `${client.key} is withheld (${detail})`;
    // Why one failed may quote what a server said.
    return state === 'failed'
      ? `${client.key} failed`
      : `${client.key} was not mailed to ${unsentTo.join(', ')}`;
  });
  const hidden = all.length - named.length;
  const rest = hidden > 0 ? [`and ${hidden} more`] : [];
  const made = countOf(outcomes, 'written') + countOf(outcomes, 'there');
  const mails = unsent.length === 0 ? '' : `, ${unsent.length} not mailed`;
  return `${plural(missing.length, 'report')} missing, ${made} made${mails}. ${[...named, ...rest].join('; ')}`;
}
