// airank measure: a measurement on demand, which counts towards three a day.

import { configuredAccount } from '../../config/names.ts';
import { flawOf } from '../../config/setting-kinds.ts';
import { systemClock } from '../../core/clock.ts';
import { ConfigError } from '../../core/errors.ts';
import { momentIn, plural } from '../../core/text.ts';
import { type StartedMeasurement, startMeasurement } from '../../writes/measure.ts';
import { withPoster } from '../../writes/send.ts';
import { remainingInLimit } from '../../writes/store/write-states.ts';
import { readSettings, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { say } from '../terminal.ts';
import { busyText, policyFlag } from './writes-command.ts';

interface MeasureContext {
  readonly account: string;
  readonly business: string;
  /** New measurements that remain today, by the ledger. */
  readonly remaining: number;
}

const oneOff = 'It is a one-off: the service marks it as not comparable, and no trend shows it.';

/** Empty if the measurement was not accepted. */
export function startedLines(started: StartedMeasurement, { business, remaining }: MeasureContext): string[] {
  if (started.kind !== 'accepted') return [];
  return [
    `Measurement of "${business}" started (write ${started.write})`,
    oneOff,
    `${plural(remaining, 'more measurement')} possible today: every call counts as a new one.`,
    'Answer:',
    ...pretty(started.json, started.answer),
  ];
}

/** Numbers that JavaScript would change are shown as they came. */
function pretty(json: unknown, text: string): string[] {
  const isExact = json !== undefined && !/\d{16}/.test(text);
  return (isExact ? JSON.stringify(json, null, 2) : text).split('\n');
}

/** Says for stderr why it was not started, or that nobody knows; undefined: nothing is wrong. */
export function measureProblem(
  started: StartedMeasurement,
  business: string,
  timeZone: string,
): string | undefined {
  switch (started.kind) {
    case 'accepted':
      return undefined;
    case 'deferred':
      return `No measurement was started: ${started.why}. From ${momentIn(timeZone, started.until)} on it can be started`;
    case 'refused':
      return `The service refused it (${started.status}): ${started.answer}`;
    case 'unknown':
      return (
        `The measurement of "${business}" may have been started, outcome unknown (write ${started.write}): ${started.problem}. ` +
        'It is not sent again by itself: check whether it arrives, or run it again with --unknown resend'
      );
    case 'undecided': {
      const { id, sentAt } = started.open;
      const when = sentAt === undefined ? '' : ` of ${momentIn(timeZone, sentAt)}`;
      return (
        `The last call${when} for "${business}" may have arrived, outcome unknown (write ${id}), so nothing was sent now. ` +
        'Check whether the measurement is there; if not, --unknown resend sends it again; --unknown skip gives it up and starts another'
      );
    }
  }
}

function measureJson(started: StartedMeasurement, context: MeasureContext) {
  return {
    account: context.account,
    business: context.business,
    status: started.kind,
    write_id: 'write' in started ? started.write : null,
    http_status: ('status' in started ? started.status : undefined) ?? null,
    comparable: false,
    answer: 'answer' in started ? (('json' in started ? started.json : undefined) ?? started.answer) : null,
    remaining_today: context.remaining,
    waits_until: started.kind === 'deferred' ? started.until.toISOString() : null,
  };
}

const longestText = 300;

export const command = defineCommand({
  about: 'start an AI Rank measurement now: a one-off, three a day',
  flags: {
    '--business, --empresa <name>': { about: 'the business to measure', required: true },
    '--sector <text>': 'what it does',
    '--location, --ubicacion <text>': 'where it is',
    '--force, --forzar': 'do not reuse a recent measurement',
    '--account <name>': 'account that starts it, where there are several',
    '--unknown <what>': policyFlag('if the outcome of the last call for it is unknown'),
    '--json': 'print the outcome as JSON on stdout',
  },
  help: `
The service marks it as not comparable, and no trend shows it. Every call
counts as a new one, since only the service knows whether it reuses a recent
measurement. Only the answer is stored; the result comes with a later sync.
More: docs/writes.md

Exit codes:
  0  it was started
  1  refused, failed or unknown
  2  wrong usage or configuration
  3  no measurements or requests are left today

Examples:
  $ airank measure --empresa "Clínica Norte" --sector dentista --ubicacion Vigo
  $ airank measure --business "Acme" --force
  $ airank measure --empresa "Acme" --account north --json | jq .answer`,
  async run({ terminal, flags }) {
    const request = readRequest(flags);
    const settings = readSettings(terminal, { needAccounts: true });
    const { config } = settings;
    const account = configuredAccount(config.accounts, flags.account);
    const tell = (text: string) => say(terminal, settings.scrub(text));
    return await withWarehouse(terminal, settings, {}, async ({ pool, db, ledger }) =>
      withPoster(settings, account, ledger, async (poster) => {
        const started = await startMeasurement(
          {
            ...{ pool, db, config, poster, clock: systemClock, purpose: 'people' },
            signal: terminal.signal,
            onBusy: (holder) => tell(busyText('measurement', account.name, holder, config.timeZone)),
            onForgotten: (businesses) => tell(forgottenText(businesses)),
          },
          { ...request, account: account.name, unknown: flags.unknown },
        );
        const { business } = request;
        const remaining = await remainingInLimit(db, config, { account: account.name, kind: 'measurement' });
        const context = { account: account.name, business, remaining };
        const lines = flags.json
          ? [JSON.stringify(measureJson(started, context), null, 2)]
          : startedLines(started, context);
        if (lines.length > 0) terminal.stdout.write(`${settings.scrub(lines.join('\n'))}\n`);
        const problem = measureProblem(started, business, config.timeZone);
        if (problem !== undefined) tell(problem);
        if (started.kind === 'deferred') return 3;
        return problem === undefined ? 0 : 1;
      }),
    );
  },
});

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
  return `The measurement of ${names} was never sent, because its command ended first. Start it again if you still want it`;
}
