// The weekly summary of an account, and the day on which it is due.
import { type Weekday, weekdays } from '../../config/alert-rules.ts';
import { plural } from '../../core/plural.ts';
import { addDays, type RunDate } from '../../core/run-date.ts';
import type { DigestFigures, DueDigest } from '../../warehouse/alerts/digests.ts';
import { type Message, oneLine, whose } from './message.ts';

/** A summary that is more days late than this is left out. */
const latestDays = 2;

/** The day whose summary is due today; undefined: none is. */
export function digestDate(today: RunDate, day: Weekday | 'never'): RunDate | undefined {
  if (day === 'never') return undefined;
  const late = (new Date(`${today}T00:00:00Z`).getUTCDay() - weekdays.indexOf(day) + 7) % 7;
  return late > latestDays ? undefined : addDays(today, -late);
}

const mostAlerts = 15;
const signed = (points: number) => `${points > 0 ? '+' : ''}${points.toFixed(1)}`;

export function digestMessage({ account, date }: DueDigest, figures: DigestFigures): Message {
  const { alerts, movers } = figures;
  const moverLines = movers.map(
    (mover) =>
      `${whose({ account, ...mover })}: ${mover.score.toFixed(1)} (${signed(mover.change)} in 7 days)`,
  );
  const alertLines = alerts
    .slice(0, mostAlerts)
    .map(
      (alert) => `${alert.date} ${whose({ account, ...alert })}: ${oneLine(alert.title)} [${alert.state}]`,
    );
  const hidden = alerts.length - alertLines.length;
  return {
    subject: `airank: the week of ${account}, ${plural(alerts.length, 'alert')}`,
    lines: [
      `The week of ${account} before ${date}`,
      movers.length === 0 ? 'No AI Rank moved.' : 'Top movers of the AI Rank',
      ...moverLines,
      alerts.length === 0 ? 'No alerts.' : plural(alerts.length, 'alert'),
      ...alertLines,
      ...(hidden > 0 ? [`… and ${hidden} more (airank alerts)`] : []),
    ],
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
