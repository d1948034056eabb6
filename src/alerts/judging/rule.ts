// What a rule is: rows of one statement in, judgements out. A rule knows no database and no time. And whether one can
// read what it judges by, and where that was found.
import { createHash } from 'node:crypto';
import type { AlertRuleName } from '../../config/alert-rules.ts';
import type { AlertsConfig } from '../../config/config.ts';
import type { Language } from './words.ts';

/** Of each source: its rows, and which client they are of. */
const ofEachSource = ['(rows)', 'client'];

interface Found {
  readonly path: string;
  /** Run date of the first record that had it; undefined: it may always have been there. */
  readonly since: string | undefined;
}

export interface RuleMapping {
  readonly canJudge: boolean;
  /** Another text once what the rule reads was found elsewhere. */
  readonly text: string;
  /**
   * Whether a rule that began on a date with another text goes on: what is mapped beside it came into the data after that
   * date, such as the first result. What was there and was not mapped begins it anew.
   */
  goesOn(began: { readonly date: string; readonly mapping: string }): boolean;
}

/** @param places by `source.field` */
export function ruleMapping(
  { needs, alsoReads }: Pick<Rule, 'needs' | 'alsoReads'>,
  places: ReadonlyMap<string, Found>,
): RuleMapping {
  const fields = [...needs.flat(), ...alsoReads];
  const sources = new Set(fields.map((field) => field.split('.')[0]));
  const read = [
    ...fields,
    ...[...sources].flatMap((source) => ofEachSource.map((field) => `${source}.${field}`)),
  ];
  const found = read.flatMap((field) => {
    const place = places.get(field);
    return place === undefined ? [] : [{ field, path: place.path, since: place.since ?? '' }];
  });
  const textUntil = (date: string) => {
    const then = found.flatMap(({ field, path, since }) => (since <= date ? [[field, path]] : [])).sort();
    return createHash('sha256').update(JSON.stringify(then)).digest('hex');
  };
  const text = textUntil('9999-12-31');
  return {
    canJudge: needs.every((ways) => ways.some((field) => places.has(field))),
    text,
    goesOn: ({ date, mapping }) =>
      mapping === text ||
      [date, ...found.map(({ since }) => since).filter((since) => since > date)].some(
        (until) => textUntil(until) === mapping,
      ),
  };
}

/** A row of sql/alerts/<statement>.sql. */
export type FactRow = Readonly<Record<string, unknown>>;

interface Figures {
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** What a rule says of one subject of a client. */
export interface Judgement extends Figures {
  readonly clientId: string;
  /** A method, a page, a competitor, a currency: of one subject one alert lasts at a time. */
  readonly subject: string;
  readonly date: string;
  readonly holds: boolean;
  /** The opposite rule says the contrary by the same figures: what lasts of this one is over. */
  readonly isOpposed?: boolean;
  /** False: it happens once, on that date, and has no end. */
  readonly lasts: boolean;
  /** From how large a difference on it is clear, where the figures say so and not the configuration. */
  readonly clearFrom?: number | undefined;
  readonly unit: string | undefined;
  readonly title: string;
  /** Of each language, where it was judged for pages in both. */
  readonly titles?: Readonly<Record<Language, string>>;
  readonly detail: string | undefined;
  /** Which figures were compared, and by what: for people who ask why. */
  readonly why: string;
}

/** An alert that lasts, as far as rules need it. */
export interface LastingAlert extends Figures {
  readonly threshold: number | undefined;
}

export interface JudgeOptions {
  /** Undefined: nobody set one. */
  readonly threshold: number | undefined;
  /** The rule in the other direction; undefined: there is none, or it is off. */
  readonly opposite?: { readonly threshold: number | undefined } | undefined;
  readonly language: Language;
}

export interface Rule {
  readonly name: AlertRuleName;
  readonly severity: 'warning' | 'good' | 'info';
  /** File of sql/alerts, which rules may share. */
  readonly statement: string;
  /** Streams that the views of the statement read. */
  readonly streams: readonly string[];
  /** Logical fields as `crawl.status`, without which it cannot judge: of each list one. */
  readonly needs: readonly (readonly string[])[];
  /** Others that decide what it says: when one is found elsewhere it begins anew. */
  readonly alsoReads: readonly string[];
  /** A subject that is no longer in complete data is over. */
  readonly endsWhenGone: boolean;
  /** What happened once has the API's own date, and may be in the data days after it. Default: the run date. */
  readonly isDatedByApi?: true;
  readonly opposite?: AlertRuleName;
  /** Rows of which nothing can be said have no judgement. */
  judge(rows: readonly FactRow[], options: JudgeOptions): readonly Judgement[];
  isBack(alert: LastingAlert, now: Judgement): boolean;
  /** Whether it became so again on top of the alert that lasts, so that it is told again. */
  isWorse(alert: LastingAlert, now: Judgement): boolean;
}

/** A figure that swings about the threshold is one alert: it is back within this share of the threshold. */
export const backWithin = 0.5;

/** Of most rules: over as soon as it is not so, and never told twice meanwhile. */
export const whileItHolds: Pick<Rule, 'isBack' | 'isWorse'> = {
  isBack: (_, now) => !now.holds,
  isWorse: () => false,
};

/** By what a rule judges, as the configuration says. */
export function judgeOptions(
  { name, opposite }: Pick<Rule, 'name' | 'opposite'>,
  { rules }: AlertsConfig,
  language: Language,
): JudgeOptions {
  const other = opposite === undefined ? undefined : rules[opposite];
  return { threshold: rules[name].threshold, opposite: other?.on === true ? other : undefined, language };
}
