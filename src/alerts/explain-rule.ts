// What a rule says of the figures of a past date, as the check judges them, and why, and whether people were told: stores and sends nothing.

import type pg from 'pg';
import type { AlertRuleName } from '../config/alert-rules.ts';
import type { AlertsConfig } from '../config/config.ts';
import type { Executor } from '../db/database.ts';
import { readFactsByClient } from './check-account.ts';
import { type Judgement, judgeOptions, ruleMapping } from './judging/rule.ts';
import type { Language } from './judging/words.ts';
import { rules } from './rules/catalog.ts';
import { type RememberedAlert, readStoredAlerts, readWatched } from './store/alert-store.ts';
import { readDataDates, readFieldPlaces } from './store/facts.ts';
import { isMuted, readMutes } from './store/list-alerts.ts';

export interface StoredAlert {
  readonly id: number;
  readonly subject: string;
  readonly date: string;
  readonly endedOn: string | undefined;
  readonly lasts: boolean;
  readonly isSilent: boolean;
  readonly isMuted: boolean;
  readonly toldOn: string | undefined;
}

export interface DeliveryFacts {
  readonly isOn: boolean;
  /** Date of the data that are judged. */
  readonly judgedOn: string;
  /** Undefined: the rule has not looked at this client yet. */
  readonly beganOn: string | undefined;
  readonly stored: readonly StoredAlert[];
  readonly isMuted: boolean;
  readonly hasChannels: boolean;
}

/** In one sentence, of a judgement that holds. */
export function deliveryOf(
  { subject, date }: Pick<Judgement, 'subject' | 'date'>,
  { isOn, judgedOn, beganOn, stored, isMuted, hasChannels }: DeliveryFacts,
): string {
  const ofSubject = stored.filter((one) => one.subject === subject && one.date <= date);
  const known =
    ofSubject.find((one) => one.date === date) ??
    ofSubject.find((one) => one.lasts && (one.endedOn === undefined || one.endedOn > date));
  if (known !== undefined && !known.isSilent) return becameOf(known, date);
  if (!isOn) return 'not sent: the rule is off in alerts.rules of the configuration';
  if (beganOn === undefined) {
    return 'not sent: the rule has not looked at this client yet, and sends nothing from before its first look';
  }
  if (known !== undefined) return `not sent: it was so when the rule began, on ${beganOn}`;
  if (judgedOn <= beganOn) return `not sent: the rule began on ${beganOn}, and sends only what came after`;
  if (isMuted) return 'would not be sent: the rule is muted';
  return hasChannels
    ? 'would be sent by the next airank alerts check'
    : 'would be listed by airank alerts, and sent nowhere: alerts.to names no channel';
}

/** What became of an alert, for somebody who asks about a date. */
function becameOf({ id, date: since, toldOn, isMuted }: StoredAlert, date: string): string {
  const which = since === date ? `alert ${id}` : `nothing new, alert ${id} of ${since} lasts`;
  if (toldOn !== undefined) return `${which}: sent on ${toldOn}`;
  return isMuted ? `${which}: not sent, the rule was muted` : `${which}: listed, and not sent yet`;
}

export interface ExplainedClient {
  readonly clientId: string;
  /** None: there are no figures that the rule could judge. */
  readonly judgements: readonly ExplainedJudgement[];
}

interface ExplainedJudgement extends Judgement {
  /** Whether people were told, or would be; undefined: there is nothing to tell. */
  readonly telling: string | undefined;
}

interface Explanation {
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
  const complete = (await readDataDates(db, account, { [name]: rule.streams }, date))(name);
  // Of a client without complete data nothing was judged: what its figures say is what was there until then.
  const dates = new Map(clients.map((clientId) => [clientId, complete.get(clientId) ?? date]));
  const rows = await readFactsByClient(pool, rule.statement, account, dates);
  const mapping = ruleMapping(rule, await readFieldPlaces(db));
  const { began } = (await readWatched(db, account))(name);
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
      telling: one.holds ? deliveryOf(one, facts) : undefined,
    }));
    return { clientId, judgements: [...said, ...noLongerSo(own, said, date)] };
  });
}

/** Alerts of a date whose figures changed since, or are gone: claims end, points are corrected. */
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
