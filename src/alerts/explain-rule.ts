// What a rule says of the figures of a past date, and why: stores nothing and tells nobody.
import type pg from 'pg';
import type { AlertRuleName } from '../config/alert-rules.ts';
import type { AlertsConfig } from '../config/config.ts';
import { readWatched } from '../warehouse/alerts/alert-store.ts';
import { readFieldPlaces } from '../warehouse/alerts/field-places.ts';
import { isMuted, readMutes } from '../warehouse/alerts/mutes.ts';
import { readFacts } from '../warehouse/alerts/read-facts.ts';
import { readStoredAlerts } from '../warehouse/alerts/stored-alerts.ts';
import type { Executor } from '../warehouse/connection/database.ts';
import { type Judgement, judgeOptions } from './judging/rule.ts';
import { ruleMapping } from './judging/rule-mapping.ts';
import { tellingOf } from './judging/telling-of.ts';
import type { Language } from './judging/words.ts';
import { rules } from './rules/catalog.ts';

export interface ExplainedClient {
  readonly clientId: string;
  /** None: there are no figures that the rule could judge. */
  readonly judgements: readonly ExplainedJudgement[];
}

export interface ExplainedJudgement extends Judgement {
  /** Whether people were told, or would be; undefined: there is nothing to tell. */
  readonly telling: string | undefined;
}

export interface Explanation {
  readonly name: AlertRuleName;
  readonly alerts: AlertsConfig;
  readonly language: Language;
  readonly account: string;
  readonly clients: readonly string[];
  readonly date: string;
  readonly today: string;
  readonly timeZone: string;
}

export async function explainRule(
  { db, pool }: { readonly db: Executor; readonly pool: pg.Pool },
  asked: Explanation,
): Promise<readonly ExplainedClient[]> {
  const { name, alerts, language, account, clients, date } = asked;
  const rule = rules.find((one) => one.name === name);
  if (rule === undefined) return [];
  const rows = await readFacts(pool, rule.statement, { account, clients, since: date, date });
  const judgements = rule.judge(rows, judgeOptions(rule, alerts, language));
  const mapping = ruleMapping(rule, await readFieldPlaces(db));
  const { began } = await readWatched(db, { account, rule: name });
  const stored = await readStoredAlerts(db, { account, rule: name, timeZone: asked.timeZone });
  const mutes = await readMutes(db, asked.today);
  return clients.map((clientId) => {
    const first = began.get(clientId);
    const facts = {
      isOn: alerts.rules[name].on,
      beganOn: first !== undefined && mapping.goesOn(first) ? first.date : undefined,
      stored: stored.filter((one) => one.clientId === clientId),
      isMuted: isMuted(mutes, account, name, clientId),
      hasChannels: alerts.to.length > 0,
    };
    const own = judgements.filter((one) => one.clientId === clientId);
    return {
      clientId,
      judgements: own.map((one) => ({ ...one, telling: one.holds ? tellingOf(one, facts) : undefined })),
    };
  });
}
