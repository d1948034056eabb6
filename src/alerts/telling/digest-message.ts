// The weekly summary of an account, and the day on which it is due.
import { type Weekday, weekdays } from '../../config/alert-rules.ts';
import { addDays, type RunDate } from '../../core/run-date.ts';
import { oneLine } from '../../core/text.ts';
import { type Language, points, words } from '../judging/words.ts';
import type { DigestFigures, DueDigest } from '../store/digests.ts';
import { type Message, whose } from './message.ts';

/** A summary that is more days late than this is left out. */
const latestDays = 2;

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
    return `${alert.date} ${whose({ account, ...alert })}: ${oneLine(alert.title)} [${state}]`;
  });
  const hidden = alerts.length - alertLines.length;
  return {
    subject: `airank: ${said.week(account)}, ${said.alerts(alerts.length)}`,
    lines: [
      said.week_before(account, date),
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
        change_7d: mover.change,
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
