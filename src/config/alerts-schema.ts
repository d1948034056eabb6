// The shape of `alerts:` in airank.config.yaml. Messages are "expected" phrases (fault.ts).
import { z } from 'zod';
import { type AlertRuleSetting, alertRuleNames, alertRules, weekdays } from './alert-rules.ts';
import { storableText } from './storable-text.ts';

const digestWanted = `a day of the week such as monday, or never`;

const ruleSchemas = Object.fromEntries(
  alertRuleNames.map((name) => {
    const { threshold, description } = alertRules[name] as AlertRuleSetting;
    const onOff = 'true or false';
    if (threshold === undefined) return [name, z.boolean({ error: onOff }).optional().describe(description)];
    const { min, unit } = threshold;
    const wanted = `${onOff}, or a number of ${unit} >= ${min}`;
    const schema = z.union([z.boolean(), z.number().min(min, { error: wanted })], { error: wanted });
    return [name, schema.optional().describe(`${description} Default: ${threshold.default} ${unit}.`)];
  }),
);

export const alertsSchema = z.strictObject(
  {
    to: z
      .array(storableText('the name of a webhook or a mail address'), {
        error: 'a list of webhooks and mail addresses',
      })
      .optional()
      .describe(
        'Who is told: names of webhooks (AIRANK_SLACK_WEBHOOK_URL, or url_env of notifications) and mail addresses. ' +
          'What goes there quotes figures, pages and names of clients.',
      ),
    digest: z
      .enum([...weekdays, 'never'], { error: digestWanted })
      .optional()
      .describe('Day of the weekly summary of each account, or never. Default: monday.'),
    rules: z
      .strictObject(ruleSchemas, { error: 'a mapping of rules' })
      .optional()
      .describe('false: the rule is off; a number: from how large a difference on it speaks.'),
  },
  { error: 'a mapping of to, digest and rules' },
);

export const alertsKeys: readonly string[] = Object.keys(alertsSchema.shape);
