// The message to a channel: a subject, lines for people, and the same as data. Texts of the API become one
// line each.
import { type Weekday, weekdays } from '../config/alert-rules.ts';
import { addDays, type RunDate } from '../core/run-date.ts';
import { oneLine } from '../core/text.ts';
import type { Message } from '../mail/channels.ts';
import { day, type Language, points, words } from './judging/words.ts';
import { type DigestFigures, type DueDigest, latestDays, type UndeliveredAlert } from './store/deliveries.ts';

/** The day whose summary is due today; undefined: none is. */
export function digestDate(today: RunDate, day: Weekday | 'never'): RunDate | undefined {
  if (day === 'never') return undefined;
  const late = (new Date(`${today}T00:00:00Z`).getUTCDay() - weekdays.indexOf(day) + 7) % 7;
  return late > latestDays ? undefined : addDays(today, -late);
}

const mostAlerts = 15;

export function digestMessage(
  { account, date }: DueDigest,
  figures: DigestFigures,
  language: Language,
): Message {
  const said = words[language];
  const { alerts, movers } = figures;
  const moverLines = movers.map((mover) => {
    const moved = said.moved(points(mover.change, language, 'exceptZero'));
    return `${whose({ account, ...mover })}: ${points(mover.score, language)} (${moved})`;
  });
  const alertLines = alerts.slice(0, mostAlerts).map((alert) => {
    const state = said.states[alert.state] ?? alert.state;
    return `${day(alert.date, language)}, ${whose({ account, ...alert })}: ${oneLine(alert.title)} [${state}]`;
  });
  const hidden = alerts.length - alertLines.length;
  const week = said.week_before(account, day(date, language));
  return {
    subject: `${week}: ${said.alerts(alerts.length)}`,
    lines: [
      week,
      movers.length === 0 ? said.no_movers : said.movers,
      ...moverLines,
      alerts.length === 0 ? said.no_alerts : said.alerts(alerts.length),
      ...alertLines,
      ...(hidden > 0 ? [said.more(hidden)] : []),
    ],
    more: said.more,
    json: {
      source: 'airank-warehouse',
      kind: 'digest',
      account,
      digest_date: date,
      movers: movers.map((mover) => ({
        client_id: mover.clientId,
        client_name: mover.clientName ?? null,
        score: mover.score,
        change_28d: mover.change,
      })),
      alerts: alerts.map((alert) => ({
        client_id: alert.clientId,
        client_name: alert.clientName ?? null,
        alert_date: alert.date,
        title: alert.title,
        state: alert.state,
      })),
    },
  };
}

const marks = { warning: '⚠', good: '✓', info: 'ℹ' } as const;
const longestDetail = 300;

export function alertsMessage(alerts: readonly UndeliveredAlert[], language: Language): Message {
  const said = words[language];
  const first = alerts.find(({ severity }) => severity === 'warning') ?? alerts[0];
  const others = alerts.length > 1 ? said.and(said.alerts(alerts.length - 1)) : '';
  const lines = alerts.map((alert) => {
    const detail = alert.detail === undefined ? '' : ` · ${shortened(oneLine(alert.detail))}`;
    return `${marks[alert.severity]} ${whose(alert)}: ${oneLine(alert.title)}${detail} (${day(alert.date, language)})`;
  });
  return {
    subject: first === undefined ? '' : shortened(`${whose(first)}: ${oneLine(first.title)}`, 120) + others,
    lines,
    more: said.more,
    json: {
      source: 'airank-warehouse',
      kind: 'alerts',
      alerts: alerts.map((alert) => ({
        id: alert.id,
        account: alert.account,
        client_id: alert.clientId,
        client_name: alert.clientName ?? null,
        rule: alert.rule,
        severity: alert.severity,
        alert_date: alert.date,
        title: alert.title,
        detail: alert.detail ?? null,
        before_value: alert.before ?? null,
        after_value: alert.after ?? null,
        value_unit: alert.unit ?? null,
      })),
    },
  };
}

/** The client's name, or the name of the account itself. */
function whose(of: {
  readonly account: string;
  readonly clientId: string;
  readonly clientName: string | undefined;
}): string {
  return oneLine(of.clientName ?? (of.clientId === '' ? of.account : of.clientId));
}

function shortened(text: string, most = longestDetail): string {
  const points = [...text];
  return points.length <= most ? text : `${points.slice(0, most).join('')}…`;
}
