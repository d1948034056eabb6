// What a channel is told: a subject, lines for people, and the same as data. Texts of the API become one line each.
import { oneLine } from '../../core/text.ts';
import { type Language, words } from '../judging/words.ts';
import type { UntoldAlert } from '../store/tellings.ts';

export interface Message {
  readonly subject: string;
  readonly lines: readonly string[];
  /** The last line where a channel does not take them all. */
  more(hidden: number): string;
  readonly json: Readonly<Record<string, unknown>>;
}

const marks = { warning: '⚠', good: '✓', info: 'ℹ' } as const;
const longestDetail = 300;

export function alertsMessage(alerts: readonly UntoldAlert[], language: Language): Message {
  const said = words[language];
  const clients = new Set(alerts.map(({ account, clientId }) => JSON.stringify([account, clientId]))).size;
  const lines = alerts.map((alert) => {
    const detail = alert.detail === undefined ? '' : ` · ${shortened(oneLine(alert.detail))}`;
    return `${marks[alert.severity]} ${whose(alert)}: ${oneLine(alert.title)}${detail} (${alert.date})`;
  });
  return {
    subject: `airank: ${said.told(said.alerts(alerts.length), said.clients(clients))}`,
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

/** The client's name; of the account itself what it is called. */
export function whose(of: {
  readonly account: string;
  readonly clientId: string;
  readonly clientName: string | undefined;
}): string {
  return oneLine(of.clientName ?? (of.clientId === '' ? of.account : of.clientId));
}

function shortened(text: string): string {
  const points = [...text];
  return points.length <= longestDetail ? text : `${points.slice(0, longestDetail).join('')}…`;
}
