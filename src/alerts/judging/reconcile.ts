// Decides what changes for a client and rule, from what is stored and what the figures say now. Pure.
import type { Judgement, LastingAlert, Rule } from './rule.ts';

/** An alert that lasts, silent ones included. */
export interface KnownAlert extends LastingAlert {
  readonly id: number;
  readonly subject: string;
  readonly date: string;
}

interface Watched {
  /** Date of the data that the rule began with; undefined: now, so it reports nothing that holds already. */
  readonly beganOn: string | undefined;
  readonly lasting: readonly KnownAlert[];
}

export interface Ended {
  readonly id: number;
  /** Date of the data that showed the end. */
  readonly endedOn: string;
  /** False: another alert on the same subject takes its place, also one by the opposite rule. */
  readonly isRecovered: boolean;
}

export interface Raised {
  readonly judgement: Judgement;
  /** True: it held before the rule began, so it is remembered but not reported. */
  readonly isSilent: boolean;
}

export interface Consequence {
  readonly ended: readonly Ended[];
  readonly raised: readonly Raised[];
}

/** @param judgements of one client, by complete data of `dataDate` */
export function reconcile(
  rule: Pick<Rule, 'endsWhenGone' | 'isBack' | 'isWorse' | 'isDatedByApi'>,
  watched: Watched,
  judgements: readonly Judgement[],
  dataDate: string,
): Consequence {
  const { beganOn } = watched;
  const hasBegun = beganOn !== undefined;
  const holding = new Set(judgements.flatMap((now) => (now.holds && now.lasts ? [now.subject] : [])));
  // If the rule starts over, alerts on its earlier figures neither recover nor come back by these.
  const lasting = watched.lasting.filter(({ subject }) => hasBegun || holding.has(subject));
  const ended: Ended[] = watched.lasting
    .filter((alert) => !lasting.includes(alert))
    .map(({ id }) => ({ id, endedOn: dataDate, isRecovered: false }));
  const raised: Raised[] = [];
  for (const now of judgements) {
    if (!now.lasts) {
      // The run date tells whether an event is older than the rule. One with the API's own date is remembered,
      // so that it is not stored twice.
      const isNews = rule.isDatedByApi === true || (hasBegun && now.date > beganOn);
      if (now.holds && isNews) raised.push({ judgement: now, isSilent: !hasBegun });
      continue;
    }
    const open = lasting.find((alert) => alert.subject === now.subject);
    const isBack = open !== undefined && rule.isBack(open, now);
    if (open !== undefined && !isBack && now.isOpposed === true) {
      ended.push({ id: open.id, endedOn: now.date, isRecovered: false });
      continue;
    }
    if (isBack) ended.push({ id: open.id, endedOn: now.date, isRecovered: true });
    // Back to where it was before, it may have fallen from a still higher level.
    if (open === undefined || isBack) {
      if (now.holds) raised.push({ judgement: now, isSilent: !hasBegun });
    } else if (hasBegun && rule.isWorse(open, now) && now.date > open.date) {
      ended.push({ id: open.id, endedOn: now.date, isRecovered: false });
      raised.push({ judgement: now, isSilent: false });
    }
  }
  if (rule.endsWhenGone && hasBegun) {
    const there = new Set(judgements.map(({ subject }) => subject));
    for (const { id, subject } of lasting) {
      if (!there.has(subject)) ended.push({ id, endedOn: dataDate, isRecovered: true });
    }
  }
  return { ended, raised };
}
