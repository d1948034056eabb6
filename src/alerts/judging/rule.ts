// The shape of a rule: rows of one statement in, judgements out. A rule knows no database and no time. Also
// whether the fields that a rule judges by are mapped, and where they were found.
import { createHash } from 'node:crypto';
import type { AlertRuleName } from '../../config/alert-rules.ts';
import type { AlertsConfig } from '../../config/config.ts';
import type { Language } from './words.ts';

/** Fields that every source has: its rows, and the client that they are of. */
const ofEachSource = ['(rows)', 'client'];

interface Found {
  readonly path: string;
  /** Run date of the first record that had it; undefined: it may always have been there. */
  readonly since: string | undefined;
}

export interface RuleMapping {
  readonly canJudge: boolean;
  /** Hash of the mapping that the rule reads by; changes when a field is found elsewhere. */
  readonly text: string;
  /**
   * Tells whether a rule goes on that began on a date with another text: fields mapped since then came into the data
   * after that date, such as the first result. A field that was in the data but not mapped begins the rule anew.
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

/** The verdict of a rule on one subject of a client. */
export interface Judgement extends Figures {
  readonly clientId: string;
  /** Method, page, competitor or currency; one alert at a time lasts for a subject. */
  readonly subject: string;
  readonly date: string;
  readonly holds: boolean;
  /** True if the opposite rule holds by the same figures: lasting alerts of this rule are over. */
  readonly isOpposed?: boolean;
  /** False: it happens once, on that date, and has no end. */
  readonly lasts: boolean;
  /** Least difference that is clear, if the figures set it and not the configuration. */
  readonly clearFrom?: number | undefined;
  readonly unit: string | undefined;
  readonly title: string;
  /** The title in each language, if it was judged for pages in both. */
  readonly titles?: Readonly<Record<Language, string>>;
  readonly detail: string | undefined;
}

/** An alert that lasts, as far as rules need it. */
export interface LastingAlert extends Figures {
  readonly threshold: number | undefined;
}

interface JudgeOptions {
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
  readonly streams: readonly string[];
  /** Logical fields such as `crawl.status`: without one of each list the rule cannot judge. */
  readonly needs: readonly (readonly string[])[];
  /** Other fields that affect the verdict: when one is found elsewhere, the rule starts over. */
  readonly alsoReads: readonly string[];
  /** Ends an alert when its subject is no longer in complete data. */
  readonly endsWhenGone: boolean;
  /** Dates events as the API does, which may bring them days later. Default: the run date. */
  readonly isDatedByApi?: true;
  readonly opposite?: AlertRuleName;
  /** Leaves out rows of which nothing can be said. */
  judge(rows: readonly FactRow[], options: JudgeOptions): readonly Judgement[];
  isBack(alert: LastingAlert, now: Judgement): boolean;
  /** Tells whether it happened again on top of the alert that lasts, and so is reported again. */
  isWorse(alert: LastingAlert, now: Judgement): boolean;
}

/** Hysteresis: an alert ends only when the figure is back within this share of the threshold. */
export const backWithin = 0.5;

/** For most rules: an alert ends as soon as it no longer holds, and is not told twice meanwhile. */
export const whileItHolds: Pick<Rule, 'isBack' | 'isWorse'> = {
  isBack: (_, now) => !now.holds,
  isWorse: () => false,
};

export function judgeOptions(
  { name, opposite }: Pick<Rule, 'name' | 'opposite'>,
  { rules }: AlertsConfig,
  language: Language,
): JudgeOptions {
  const other = opposite === undefined ? undefined : rules[opposite];
  return { threshold: rules[name].threshold, opposite: other?.on === true ? other : undefined, language };
}
