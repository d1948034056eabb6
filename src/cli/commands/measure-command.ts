// airank measure: a measurement on demand, which counts towards three a day.

import { createApiClient } from '../../api/client.ts';
import { configuredAccount } from '../../config/names.ts';
import { flawOf } from '../../config/setting-kinds.ts';
import { systemClock } from '../../core/clock.ts';
import { BudgetExhaustedError, ConfigError, messageOf } from '../../core/errors.ts';
import { moment, plural } from '../../core/text.ts';
import { catalog } from '../../streams/catalog.ts';
import {
  type Measured,
  measureAndWait,
  type StartedMeasurement,
} from '../../writes/measure/measure-and-wait.ts';
import { roomInLimit } from '../../writes/store/write-book.ts';
import { withPoster } from '../../writes/with-writes.ts';
import { readSettings, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { duration } from '../print/table.ts';
import { busyText } from '../print/words.ts';

/**
 * What airank measure says: what became of the call, the service's answer, and what was seen of the measurement.
 */
interface MeasureContext {
  readonly account: string;
  readonly business: string;
  readonly isWaiting: boolean;
  /** New measurements that remain today, by the ledger. */
  readonly remaining: number;
}

const oneOff = 'It is a one-off: the service marks it as not comparable, and it enters no trend.';

/** Nothing where it was not accepted. */
export function startedLines(
  started: StartedMeasurement,
  id: string | undefined,
  { business, remaining }: MeasureContext,
): string[] {
  if (started.kind !== 'sent' || started.delivered.kind !== 'accepted') return [];
  const { delivered, write } = started;
  return [
    `Measurement of "${business}" started${id === undefined ? '' : `: ${id}`} (write ${write})`,
    oneOff,
    `${plural(remaining, 'more measurement')} today: every call counts as a new one.`,
    'Answer:',
    ...pretty(delivered.json, delivered.answer),
  ];
}

export function seenLines({ seen }: Measured): string[] {
  if (seen === undefined) return [];
  return [`Seen after ${duration(seen.afterMs)}:`, ...pretty(seen.record, JSON.stringify(seen.record))];
}

/** Numbers that JavaScript would change are shown as they came. */
function pretty(json: unknown, text: string): string[] {
  const isExact = json !== undefined && !/\d{16}/.test(text);
  return (isExact ? JSON.stringify(json, null, 2) : text).split('\n');
}

/** Why it was not started, is not known or was not seen; undefined: nothing is wrong. For stderr. */
export function measureTrouble(
  { started, seen, failure }: Measured,
  context: MeasureContext,
): string | undefined {
  const { business, isWaiting } = context;
  if (started.kind === 'deferred') {
    return `No measurement was started: ${started.why}. From ${moment(started.until)} on there is room again`;
  }
  if (started.kind === 'undecided') {
    const { id, sentAt } = started.open;
    const when = sentAt === undefined ? '' : ` of ${moment(sentAt)}`;
    return (
      `The last call${when} for "${business}" may have arrived, outcome unknown (write ${id}), so none was sent. ` +
      'See whether the measurement is there; if not, --unknown resend sends it again; --unknown skip leaves that one and starts another'
    );
  }
  const { delivered, write } = started;
  if (failure !== undefined) return `The wait for it ended early: ${messageOf(failure)}`;
  switch (delivered.kind) {
    case 'accepted':
      return isWaiting && seen === undefined
        ? 'Not seen among the measurements within half an hour. It may still come: a later sync brings it'
        : undefined;
    case 'unknown':
      if (seen !== undefined) return undefined;
      return (
        `The measurement of "${business}" may have been started, outcome unknown (write ${write}): ${delivered.problem}. ` +
        'It is not sent again by itself; see whether it comes, or run it again with --unknown resend'
      );
    case 'refused':
    case 'too_large':
      return `The service refused it (${delivered.status}): ${delivered.answer}`;
    case 'deferred':
    case 'gone':
      return 'Nothing was sent: run it again';
  }
}

/** 0 it was started, and seen where that was waited for; 1 not; 3 a limit came first. */
export function measureExitCode(measured: Measured, context: MeasureContext): number {
  const isOver = measured.failure instanceof BudgetExhaustedError;
  if (isOver || measured.started.kind === 'deferred') return 3;
  return measureTrouble(measured, context) === undefined ? 0 : 1;
}

function measureJson({ started, id, seen }: Measured, context: MeasureContext) {
  const delivered = started.kind === 'sent' ? started.delivered : undefined;
  const answered = delivered !== undefined && 'status' in delivered ? delivered : undefined;
  return {
    account: context.account,
    business: context.business,
    status: delivered?.kind ?? started.kind,
    write_id: started.kind === 'sent' ? started.write : null,
    http_status: answered?.status ?? null,
    id: id ?? null,
    comparable: false,
    answer:
      delivered?.kind === 'accepted' ? (delivered.json ?? delivered.answer) : (answered?.answer ?? null),
    remaining_today: context.remaining,
    waits_until: started.kind === 'deferred' ? started.until.toISOString() : null,
    seen: seen?.record ?? null,
  };
}

const longestText = 300;

export const command = defineCommand({
  about: 'start an AI Rank measurement now: a one-off, three a day',
  flags: {
    '--business, --empresa <name>': { about: 'what is measured', required: true },
    '--sector <text>': 'what it does',
    '--location, --ubicacion <text>': 'where it is',
    '--force, --forzar': 'no recent measurement is reused',
    '--account <name>': 'account that starts it, where there are several',
    '--wait': 'wait for up to half an hour until it is among the measurements',
    '--unknown <what>': {
      about: 'where the outcome of the last call for it is unknown',
      choices: ['report', 'resend', 'skip'],
      default: 'report',
    },
    '--json': 'print what became of it as JSON on stdout',
  },
  help: `
The service marks it as not comparable, and it enters no trend. Every call
counts as a new one, since only the service knows whether it reuses a recent
measurement. Nothing but the answer is stored. More: docs/writes.md

Exit codes:
  0  it was started, and with --wait seen
  1  refused, failed, unknown, or not seen
  2  wrong usage or configuration
  3  the day's measurements or requests are used up

Examples:
  $ airank measure --empresa "Clínica Norte" --sector dentista --ubicacion Vigo
  $ airank measure --business "Acme" --force --wait
  $ airank measure --empresa "Acme" --account north --json | jq .answer`,
  async run({ terminal, flags }) {
    const request = readRequest(flags);
    const settings = readSettings(terminal, { needAccounts: true });
    const { config, logger } = settings;
    const account = configuredAccount(config.accounts, flags.account);
    const say = (text: string) => terminal.stderr.write(`${settings.scrub(text)}\n`);
    return await withWarehouse(terminal, settings, {}, async ({ pool, db, ledger }) =>
      withPoster(settings, account, ledger, async (poster, gate) => {
        const client = createApiClient({ account, http: config.http, gate, clock: systemClock, logger });
        try {
          const isWaiting = flags.wait === true;
          const contextNow = async () => {
            const of = { account: account.name, kind: 'measurement' } as const;
            const remaining = await roomInLimit(db, config, of);
            return { account: account.name, business: request.business, isWaiting, remaining };
          };
          const show = (lines: readonly string[]) => {
            if (lines.length > 0) terminal.stdout.write(`${settings.scrub(lines.join('\n'))}\n`);
          };
          const measured = await measureAndWait(
            {
              ...{ pool, db, config, poster, client, clock: systemClock, purpose: 'people' },
              signal: terminal.signal,
              stream: measurementsOf(settings.streams),
              onBusy: (holder) => say(busyText('measurement', account.name, holder)),
              onForgotten: (businesses) => say(forgottenText(businesses)),
              onPause: (pauseMs) => say(`Looks for it among the measurements in ${duration(pauseMs)}`),
              onStarted: async (started, id) => {
                if (!flags.json) show(startedLines(started, id, await contextNow()));
              },
            },
            { ...request, account: account.name, unknown: flags.unknown },
            isWaiting,
          );
          const context = await contextNow();
          show(flags.json ? [JSON.stringify(measureJson(measured, context), null, 2)] : seenLines(measured));
          const trouble = measureTrouble(measured, context);
          if (trouble !== undefined) say(trouble);
          return measureExitCode(measured, context);
        } catch (error) {
          if (!(error instanceof BudgetExhaustedError)) throw error;
          say(error.message);
          return 3;
        } finally {
          await client.close();
        }
      }),
    );
  },
});

/** Also where the configuration switches the stream off: nothing of it is stored. */
function measurementsOf(streams: typeof catalog) {
  const stream = [...streams, ...catalog].find(({ name }) => name === 'mediciones');
  if (stream === undefined) throw new Error('the catalog has no mediciones');
  return stream;
}

function readRequest(flags: {
  readonly empresa: string;
  readonly sector?: string;
  readonly ubicacion?: string;
  readonly forzar?: true;
}) {
  const faults: string[] = [];
  const business = textOf('--empresa', flags.empresa, faults) ?? '';
  const sector = textOf('--sector', flags.sector, faults);
  const location = textOf('--ubicacion', flags.ubicacion, faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return { business, sector, location, force: flags.forzar === true };
}

function textOf(flag: string, given: string | undefined, faults: string[]): string | undefined {
  if (given === undefined) return undefined;
  const text = given.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  const length = [...text].length;
  const flaw = flawOf(text);
  if (flaw !== undefined) faults.push(`Expected ${flag} to be ${flaw.expected}. ${flaw.fix}`);
  if (length === 0 || length > longestText) {
    faults.push(
      `Expected ${flag} to be a text of 1 to ${longestText} characters, got ${length === 0 ? 'nothing' : length}`,
    );
  }
  return text;
}

function forgottenText(businesses: readonly string[]): string {
  const names = businesses.map((business) => `"${business}"`).join(', ');
  return `Ended before it was sent, and forgotten: the measurement of ${names}. Start it again if it is still wanted`;
}
