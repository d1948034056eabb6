// What airank measure says: what became of the call, the service's answer, and what was seen of the measurement.
import { BudgetExhaustedError, messageOf } from '../../core/errors.ts';
import { moment } from '../../core/moment.ts';
import { plural } from '../../core/plural.ts';
import type { Measured } from '../../writes/measure/measure-and-wait.ts';
import type { StartedMeasurement } from '../../writes/measure/start-measurement.ts';
import { duration } from './table.ts';

export interface MeasureContext {
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
      `Nobody knows whether the last call${when} for "${business}" arrived (write ${id}), so none was sent. ` +
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
        `Nobody knows whether the measurement of "${business}" was started (write ${write}): ${delivered.problem}. ` +
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

export function measureJson({ started, id, seen }: Measured, context: MeasureContext) {
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
