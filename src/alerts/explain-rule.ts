// What a rule says of the figures of a past date, and why: stores nothing and tells nobody.
import type pg from 'pg';
import type { AlertRuleName } from '../config/alert-rules.ts';
import type { AlertsConfig } from '../config/config.ts';
import { readFacts } from '../warehouse/alerts/read-facts.ts';
import type { Judgement } from './judging/rule.ts';
import type { Language } from './judging/words.ts';
import { rules } from './rules/catalog.ts';

export interface ExplainedClient {
  readonly clientId: string;
  /** None: there are no figures that the rule could judge. */
  readonly judgements: readonly Judgement[];
}

export interface Explanation {
  readonly name: AlertRuleName;
  readonly alerts: AlertsConfig;
  readonly language: Language;
  readonly account: string;
  readonly clients: readonly string[];
  readonly date: string;
}

export async function explainRule(pool: pg.Pool, asked: Explanation): Promise<readonly ExplainedClient[]> {
  const { name, alerts, language, account, clients, date } = asked;
  const rule = rules.find((one) => one.name === name);
  if (rule === undefined) return [];
  const rows = await readFacts(pool, rule.statement, { account, clients, since: date, date });
  const judgements = rule.judge(rows, { threshold: alerts.rules[name].threshold, language });
  return clients.map((clientId) => ({
    clientId,
    judgements: judgements.filter((one) => one.clientId === clientId),
  }));
}
