// What a rule says of the figures of a past date, as the check judges them, and why: stores nothing and tells nobody.
import type pg from 'pg';
import type { AlertRuleName } from '../config/alert-rules.ts';
import type { AlertsConfig } from '../config/config.ts';
import type { Executor } from '../db/database.ts';
import { readFactsByClient } from './check-account.ts';
import { type Judgement, judgeOptions } from './judging/rule.ts';
import { ruleMapping } from './judging/rule-mapping.ts';
import { becameOf, tellingOf } from './judging/telling-of.ts';
import type { Language } from './judging/words.ts';
import { rules } from './rules/catalog.ts';
import { readWatched } from './store/alert-store.ts';
import { readDataDates } from './store/data-dates.ts';
import { readFieldPlaces } from './store/field-places.ts';
import { isMuted, readMutes } from './store/mutes.ts';
import { type RememberedAlert, readStoredAlerts } from './store/stored-alerts.ts';

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
  const complete = await readDataDates(db, account, rule.streams, date);
  // Of a client without complete data nothing was judged: what its figures say is what was there until then.
  const dates = new Map(clients.map((clientId) => [clientId, complete.get(clientId) ?? date]));
  const rows = await readFactsByClient(pool, rule.statement, account, dates);
  const mapping = ruleMapping(rule, await readFieldPlaces(db));
  const { began } = await readWatched(db, { account, rule: name });
  const stored = await readStoredAlerts(db, { account, rule: name, timeZone: asked.timeZone });
  const mutes = await readMutes(db, asked.today);
  return clients.map((clientId) => {
    const first = began.get(clientId);
    const own = stored.filter((one) => one.clientId === clientId);
    const facts = {
      isOn: alerts.rules[name].on,
      judgedOn: dates.get(clientId) ?? date,
      beganOn: first !== undefined && mapping.goesOn(first) ? first.date : undefined,
      stored: own,
      isMuted: isMuted(mutes, account, name, clientId),
      hasChannels: alerts.to.length > 0,
    };
    const judgements = rule.judge(rows.get(clientId) ?? [], judgeOptions(rule, alerts, language));
    const said = judgements.map((one) => ({
      ...one,
      telling: one.holds ? tellingOf(one, facts) : undefined,
    }));
    return { clientId, judgements: [...said, ...noLongerSo(own, said, date)] };
  });
}

/** Alerts of a date whose figures changed since, or are gone: claims end, points are corrected, dates are pruned. */
function noLongerSo(
  stored: readonly RememberedAlert[],
  said: readonly ExplainedJudgement[],
  asked: string,
): ExplainedJudgement[] {
  return stored
    .filter((one) => !one.isSilent && [one.date, one.raisedOn, one.toldOn].includes(asked))
    .filter(
      ({ subject, date }) => !said.some((now) => now.holds && now.subject === subject && now.date === date),
    )
    .map((one) => ({
      ...one,
      holds: true,
      unit: undefined,
      detail: undefined,
      why: `it was so of ${one.date} when it was found, on ${one.raisedOn}, and the data show it no longer`,
      telling: becameOf(one, one.date),
    }));
}
