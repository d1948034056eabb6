import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiWords } from '../../src/alerts/judging/words.ts';
import { alertRuleNames, alertRulesMarkdown } from '../../src/config/alert-rules.ts';
import { packageRoot } from '../../src/core/files.ts';
import { cases } from '../support/cases.ts';
import { fileFaults, good, load } from '../support/config-fixtures.ts';

const slack = { ...good, AIRANK_SLACK_WEBHOOK_URL: 'https://hooks.example.com/abcdefgh' };
const mail = { ...slack, AIRANK_SMTP_URL: 'smtps://mail.example.com', AIRANK_MAIL_FROM: 'a@example.com' };
const alertsOf = (text: string, env: NodeJS.ProcessEnv) => load(env, { 'airank.config.yaml': text }).alerts;

describe('alerts in the configuration', () => {
  it('are all on by default, tell nobody, and are summed up on Mondays', () => {
    const { to, digest, rules } = load(good).alerts;
    expect({ to, digest }).toEqual({ to: [], digest: 'monday' });
    expect(Object.keys(rules)).toEqual(alertRuleNames);
    expect(Object.values(rules).every(({ on }) => on)).toBe(true);
    expect(rules.rank_fell.threshold).toBeUndefined();
    expect(rules.revenue_fell.threshold).toBe(20);
    expect(rules.outcome_in.threshold).toBeUndefined();
  });

  it('take thresholds, switches and channels, each once', () => {
    const text = `alerts:
  to: [AIRANK_SLACK_WEBHOOK_URL, Ana <ana@example.com>, AIRANK_SLACK_WEBHOOK_URL]
  digest: never
  rules: { rank_fell: 7.5, page_lost: false, revenue_fell: true }`;
    const { to, digest, rules } = alertsOf(text, mail);
    expect(to).toEqual(['AIRANK_SLACK_WEBHOOK_URL', 'Ana <ana@example.com>']);
    expect(digest).toBe('never');
    expect(rules).toMatchObject({
      rank_fell: { on: true, threshold: 7.5 },
      page_lost: { on: false },
      revenue_fell: { on: true, threshold: 20 },
      rank_rose: { on: true, threshold: undefined },
    });
  });

  it.each(
    cases(`
    5 => alerts to be a mapping of to, digest and rules, got 5
    { digest: freitag } => alerts.digest to be a day of the week such as monday, or never, got "freitag"
    { rules: { rank_fell: 0 } } => rules.rank_fell to be true or false, or a number of points >= 0.1, got 0
    { rules: { claim_false: 3 } } => rules.claim_false to be true or false, got 3
    { rules: { rank_fel: 3 } } => rules.rank_fel is not a known name. Did you mean rank_fell?
    { too: [] } => alerts.too is not a known name. Did you mean to?
    { to: [AIRANK_SLACK_WEBHOOK] } => alerts.to[0] to be the name of a webhook that is set, => Did you mean AIRANK_SLACK_WEBHOOK_URL?
    { to: [ana@example.com] } => alerts.to[0] to be a webhook, got the mail address => Set AIRANK_SMTP_URL and
  `),
  )('refuse %s', (text, ...messages) => {
    const faults = fileFaults(`alerts: ${text}`, slack);
    expect(faults).toHaveLength(1);
    for (const message of messages) expect(faults[0]).toContain(message);
  });

  it('never repeat an address that was pasted for a name', () => {
    const [fault, ...others] = fileFaults('alerts: { to: ["https://hooks.example.com/secret-path"] }', slack);
    expect(others).toEqual([]);
    expect(fault).not.toMatch(/secret-path/);
    expect(fault).toMatch(/got a web address\. Webhooks: AIRANK_SLACK_WEBHOOK_URL\.$/);
  });

  it('understand the words that the docs name, and no others', () => {
    const page = readFileSync(join(packageRoot(), 'docs', 'alerts.md'), 'utf8');
    const table = page.slice(page.indexOf('| is | words')).split('\n\n')[0] ?? '';
    const named = [...table.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
    expect(named.sort()).toEqual(Object.values(apiWords).flat().sort());
  });

  // After a change of the table: npm run docs
  it('have a line each in the table of the docs, which shows them as they are', async () => {
    const page = readFileSync(join(packageRoot(), 'docs', 'alerts.md'), 'utf8');
    const table = `<!-- alert rules -->\n${alertRulesMarkdown()}<!-- /alert rules -->`;
    const shown = page.replace(/<!-- alert rules -->[\s\S]*<!-- \/alert rules -->/, () => table);
    await expect(shown).toMatchFileSnapshot('../../docs/alerts.md');
    expect(alertRulesMarkdown().trimEnd().split('\n')).toHaveLength(alertRuleNames.length + 2);
  });
});
