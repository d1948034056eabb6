// Looks for alerts in the figures of an account: each rule judges what is complete of its data.
import type pg from 'pg';
import type { AlertRuleName } from '../config/alert-rules.ts';
import type { AlertsConfig } from '../config/config.ts';
import { groupBy } from '../core/group-by.ts';
import { addDays, parseRunDate } from '../core/run-date.ts';
import { atOnce, type Executor, pipelined } from '../db/database.ts';
import { reconcile } from './judging/reconcile.ts';
import { type FactRow, judgeOptions, type Rule, type RuleMapping, ruleMapping } from './judging/rule.ts';
import type { Language } from './judging/words.ts';
import { rules } from './rules/catalog.ts';
import {
  type AlertChanges,
  forgetLeft,
  forgetRule,
  type NewAlert,
  type RaisedAlert,
  readWatched,
  storeAlerts,
  type WatchedClients,
} from './store/alert-store.ts';
import { readDataDates, readFacts, readFieldPlaces } from './store/facts.ts';
import { isMuted, type Mute } from './store/list-alerts.ts';

export interface CheckDeps {
  readonly db: Executor;
  readonly pool: pg.Pool;
  readonly alerts: AlertsConfig;
  readonly language: Language;
}

/** Days back to look for events that happen once: runs may have failed meanwhile. */
const lookBackDays = 14;

/** A rule that could not judge, with the reason. */
export interface BrokenRule {
  readonly rule: AlertRuleName;
  readonly error: unknown;
}

interface CheckedAccount {
  readonly raised: readonly RaisedAlert[];
  readonly broken: readonly BrokenRule[];
}

/** Checks and stores by one rule after the other; a rule that fails leaves the others alone. */
export async function checkAccount(
  deps: CheckDeps,
  account: string,
  mutes: readonly Mute[],
): Promise<CheckedAccount> {
  const { db, alerts } = deps;
  await forgetLeft(db, account);
  for (const { name } of rules) if (!alerts.rules[name].on) await forgetRule(db, account, name);
  const { changes, ...judged } = await judgeAccount(deps, account, mutes);
  const raised: RaisedAlert[] = [];
  const broken = [...judged.broken];
  for (const change of changes) {
    try {
      raised.push(...(await storeAlerts(db, change)));
    } catch (error) {
      broken.push({ rule: change.rule, error });
    }
  }
  return { raised, broken };
}

/** Judges by the rules that are on, and returns what a check would store. */
async function judgeAccount(
  { db, pool, alerts, language }: CheckDeps,
  account: string,
  mutes: readonly Mute[],
): Promise<{ readonly changes: readonly AlertChanges[]; readonly broken: readonly BrokenRule[] }> {
  const lists = Object.fromEntries(rules.map(({ statement, streams }) => [statement, streams]));
  const [places, watched, datesOf] = await atOnce(db, (one) =>
    Promise.all([readFieldPlaces(one), readWatched(one, account), readDataDates(one, account, lists)]),
  );
  const judging = rules
    .filter(({ name }) => alerts.rules[name].on)
    .map((rule) => ({ rule, mapping: ruleMapping(rule, places), dates: datesOf(rule.statement) }));
  const facts = await pipelined(pool, async (session) => {
    // Rules of one statement read the same streams.
    const asked = new Map(
      judging.flatMap(({ rule, mapping, dates }) =>
        mapping.canJudge ? [[rule.statement, dates] as const] : [],
      ),
    );
    const found = await Promise.allSettled(
      [...asked].map(([statement, dates]) => readFactsByClient(session, statement, account, dates)),
    );
    return new Map([...asked.keys()].map((statement, place) => [statement, found[place]]));
  });
  const broken: BrokenRule[] = [];
  const changes: AlertChanges[] = [];
  for (const { rule, mapping, dates } of judging) {
    try {
      const found = mapping.canJudge ? facts.get(rule.statement) : undefined;
      if (found?.status === 'rejected') throw found.reason;
      const rows = found?.value ?? new Map<string, readonly FactRow[]>();
      const of = { rule, account, mapping, dates, rows, mutes, watched: watched(rule.name) };
      changes.push(judgeRule({ alerts, language }, of));
    } catch (error) {
      broken.push({ rule: rule.name, error });
    }
  }
  return { changes, broken };
}

interface RuleFacts {
  readonly rule: Rule;
  readonly account: string;
  readonly mapping: RuleMapping;
  readonly dates: ReadonlyMap<string, string>;
  readonly rows: ReadonlyMap<string, readonly FactRow[]>;
  readonly mutes: readonly Mute[];
  readonly watched: WatchedClients;
}

function judgeRule(
  { alerts, language }: Pick<CheckDeps, 'alerts' | 'language'>,
  { rule, account, mapping, dates, rows, mutes, watched: { began, lasting } }: RuleFacts,
): AlertChanges {
  const { threshold } = alerts.rules[rule.name];
  const ofClient = groupBy(lasting, (alert) => alert.clientId);
  const consequences = [...dates].flatMap(([clientId, date]) => {
    const first = began.get(clientId);
    if (!mapping.canJudge) {
      return first === undefined ? [{ clientId, date, begins: true, ended: [], raised: [] }] : [];
    }
    const beganOn = first !== undefined && mapping.goesOn(first) ? first.date : undefined;
    const watched = { beganOn, lasting: ofClient.get(clientId) ?? [] };
    const told = (spoken: Language) =>
      rule.judge(rows.get(clientId) ?? [], judgeOptions(rule, alerts, spoken));
    const [en, es] = [told('en'), told('es')];
    const judgements = (language === 'en' ? en : es).map((one, place) => ({
      ...one,
      titles: { en: en[place]?.title ?? one.title, es: es[place]?.title ?? one.title },
    }));
    return [{ clientId, date, begins: beganOn === undefined, ...reconcile(rule, watched, judgements, date) }];
  });
  return {
    account,
    rule: rule.name,
    mapping: mapping.text,
    begins: consequences.filter(({ begins }) => begins),
    ended: consequences.flatMap(({ ended }) => ended),
    raised: consequences.flatMap((consequence) =>
      consequence.raised.map(
        ({ judgement, isSilent }): NewAlert => ({
          ...judgement,
          threshold: judgement.clearFrom ?? threshold,
          severity: rule.severity,
          isSilent,
          isMuted: isMuted(mutes, account, rule.name, judgement.clientId),
        }),
      ),
    ),
    channels: alerts.to,
  };
}

/**
 * One statement for all clients whose data are complete until the same date.
 * @param dates until when the data of each client are complete
 */
async function readFactsByClient(
  pool: pg.Pool,
  statement: string,
  account: string,
  dates: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly FactRow[]>> {
  const rows: FactRow[] = [];
  for (const [text, some] of groupBy([...dates], ([, date]) => date)) {
    const date = parseRunDate(text);
    if (date === undefined) continue;
    const clients = some.map(([clientId]) => clientId);
    const since = addDays(date, -lookBackDays);
    rows.push(...(await readFacts(pool, statement, { account, clients, since, date })));
  }
  return groupBy(rows, (row) => String(row['client_id']));
}
