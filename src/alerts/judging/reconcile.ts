// What follows for a client and rule from what is stored and what the figures say now. Pure.
import type { Judgement, LastingAlert, Rule } from './rule.ts';

/** An alert that lasts, silent ones included. */
export interface KnownAlert extends LastingAlert {
  readonly id: number;
  readonly subject: string;
  readonly date: string;
}

export interface Watched {
  /** Date of the data that the rule read first; undefined: it never did. */
  readonly beganOn: string | undefined;
  readonly lasting: readonly KnownAlert[];
}

export interface Ended {
  readonly id: number;
  /** Date of the data that showed it. */
  readonly endedOn: string;
  /** False: another alert on the same takes its place. */
  readonly isRecovered: boolean;
}

export interface Raised {
  readonly judgement: Judgement;
  /** It was so before the rule began: remembered, and told to nobody. */
  readonly isSilent: boolean;
}

export interface Consequence {
  /** The rule begins with these data. */
  readonly begins: boolean;
  readonly ended: readonly Ended[];
  readonly raised: readonly Raised[];
}

/**
 * @param judgements of one client, by complete data of `dataDate`
 */
export function reconcile(
  rule: Pick<Rule, 'endsWhenGone' | 'isBack' | 'isWorse'>,
  watched: Watched,
  judgements: readonly Judgement[],
  dataDate: string,
): Consequence {
  const { beganOn } = watched;
  const holding = new Set(judgements.flatMap((now) => (now.holds && now.lasts ? [now.subject] : [])));
  // What rules said of other figures, before they began anew, neither recovers nor comes back by these.
  const lasting = watched.lasting.filter(({ subject }) => beganOn !== undefined || holding.has(subject));
  const ended: Ended[] = watched.lasting
    .filter((alert) => !lasting.includes(alert))
    .map(({ id }) => ({ id, endedOn: dataDate, isRecovered: false }));
  const raised: Raised[] = [];
  const isNews = ({ date }: Judgement) => beganOn !== undefined && date > beganOn;
  for (const now of judgements) {
    if (!now.lasts) {
      if (now.holds && isNews(now)) raised.push({ judgement: now, isSilent: false });
      continue;
    }
    const open = lasting.find((alert) => alert.subject === now.subject);
    const isBack = open !== undefined && rule.isBack(open, now);
    if (isBack) ended.push({ id: open.id, endedOn: now.date, isRecovered: true });
    // Back to where it was before, it may have fallen from a still higher level.
    if (open === undefined || isBack) {
      if (now.holds) raised.push({ judgement: now, isSilent: !isNews(now) });
    } else if (rule.isWorse(open, now) && isNews(now) && now.date > open.date) {
      ended.push({ id: open.id, endedOn: now.date, isRecovered: false });
      raised.push({ judgement: now, isSilent: false });
    }
  }
  if (rule.endsWhenGone && beganOn !== undefined) {
    const there = new Set(judgements.map(({ subject }) => subject));
    for (const { id, subject } of lasting) {
      if (!there.has(subject)) ended.push({ id, endedOn: dataDate, isRecovered: true });
    }
  }
  return { begins: beganOn === undefined, ended, raised };
}
