// Every rule of the alerts as data: the configuration is checked by it, and docs/alerts.md shows it.

export interface AlertRuleSetting {
  /** Undefined: the rule takes no threshold. Without a default it reports clear changes unless a threshold is set. */
  readonly threshold:
    | { readonly default: number | undefined; readonly min: number; readonly unit: string }
    | undefined;
  readonly description: string;
}

const points = { default: undefined, min: 0.1, unit: 'points' } as const;

/** Stands for the threshold of a rule that reports clear changes. */
export const clearWord = 'clear';

export const alertRules = {
  rank_fell: {
    threshold: points,
    description:
      'The AI Rank fell in 28 days, clearly (`change_28d_direction` of `bi.rank_latest`); with a threshold by at least that many points in 7 or 28 days. Compares comparable points of one method.',
  },
  rank_rose: {
    threshold: points,
    description: 'The AI Rank rose, by the same measures.',
  },
  mention_fell: {
    threshold: undefined,
    description:
      'The share of answers that name the brand fell, 28 days against the 28 before, clearly (`direction` of `bi.mention_changes`).',
  },
  mention_rose: {
    threshold: undefined,
    description: 'It rose.',
  },
  passed_by_competitor: {
    threshold: undefined,
    description: 'A competitor passed the client, as the API says.',
  },
  passed_competitor: {
    threshold: undefined,
    description: 'The client passed a competitor, as the API says.',
  },
  page_lost: {
    threshold: { default: 1, min: 1, unit: 'pages' },
    description:
      'At least this many pages of the client that engines cited are no longer cited, from one run date to the next.',
  },
  claim_false: {
    threshold: undefined,
    description: 'A claim of an engine about the brand is judged false.',
  },
  crawler_refused: {
    threshold: undefined,
    description: 'The site refuses a bot of an engine.',
  },
  revenue_fell: {
    threshold: { default: 20, min: 1, unit: 'percent' },
    description:
      'Revenue attributed to engines is at least this many percent lower than on the same day of the month before, in one currency.',
  },
  outcome_in: {
    threshold: undefined,
    description: 'The result of an action is known.',
  },
} as const satisfies Record<string, AlertRuleSetting>;

export type AlertRuleName = keyof typeof alertRules;

export const alertRuleNames = Object.keys(alertRules) as readonly AlertRuleName[];

export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
export type Weekday = (typeof weekdays)[number];

/** The rules as a table of docs/alerts.md. */
export function alertRulesMarkdown(): string {
  const rows = alertRuleNames.map((name) => {
    const { threshold, description } = alertRules[name] as AlertRuleSetting;
    const from =
      threshold === undefined
        ? ''
        : threshold.default === undefined
          ? `${clearWord}, or ${threshold.unit}`
          : `\`${threshold.default}\` ${threshold.unit}`;
    return `| \`${name}\` | ${from} | ${description} |`;
  });
  return `${['| rule | from | alerts when |', '|---|---|---|', ...rows].join('\n')}\n`;
}
