import { describe, expect, it } from 'vitest';
import { parseRunDate } from '../../src/core/run-date.ts';
import { h, textOf } from '../../src/reporting/dashboard/charts/tree.ts';
import { reportMail } from '../../src/reporting/report/mail-report.ts';
import { reportPeriod } from '../../src/reporting/report/period.ts';
import { actionsTitle, type ReportPage, reportHtml } from '../../src/reporting/report/report-html.ts';
import { fields } from '../support/draw-context.ts';
import { actionWith, reportData } from '../support/report-data.ts';

const evil = `<script>alert(1)</script><img src=x onerror=alert(2)>"'&{{}}\u202eمرحبا 🤖`;
const today = parseRunDate('2026-11-22');
if (today === undefined) throw new Error('no date');
const period = reportPeriod('month', undefined, today);

const agency = {
  name: 'Agencia <b>Vértice</b>',
  logo: undefined,
  accentColor: '#1f4e79',
  textColor: '#1b1f24',
  footer: `Calle Mayor 1 ${evil}`,
};

const standing = {
  ...{ client_name: 'Café', mention_rate: '0.42', before_mention_rate: '0.62', mention_change: '-0.2' },
  ...{ mention_direction: 'fell', question_count: '24', answer_count: '384', rank_direction: 'fell' },
  ...{ score: '54.1', score_28d: '72', change_28d: '-17.9', method: 'v2' },
  ...{ date: '2026-10-31', date_28d: '2026-10-03' },
};
const week = (week_date: string, engine: string) => {
  const counts = { mentioned_count: '5', known_count: '10', answer_count: '10' };
  return { week_date, engine, mention_rate: '0.5', low_rate: '0.3', high_rate: '0.7', ...counts };
};

const hostile = reportData({
  charts: {
    standing: [{ ...standing, client_name: evil, method: evil }],
    'rank-trend': [{ date: '2026-10-31', method: evil, score: '54.1' }],
    'mention-rate': [week('2026-10-19', evil), week('2026-10-26', evil)],
    voice: [
      { run_date: '2026-10-31', competitor_name: evil, is_own: 'true', share_rate: '0.4' },
      { run_date: '2026-10-31', competitor_name: `${evil} 2`, is_own: 'false', share_rate: '0.3' },
    ],
    'rank-dimensions': [{ date: '2026-10-31', method: evil, dimension: evil, score: '40' }],
    'changed-pages': [{ run_date: '2026-10-30', change: 'gained', page_url: evil, is_own: 'false' }],
  },
  markers: [{ date: '2026-10-10', type: 'action', title: evil, detail: evil }],
  actions: [
    actionWith({ title: evil, result_reading: evil, expectation_metric: evil, observed_value: '1' }),
    actionWith({ title: evil, status: evil, priority: evil, postponed_until_date: evil }),
  ],
  experiments: [{ action: evil, metric: evil, before_value: '1', after_value: '2', result_reading: evil }],
});

function pageOf(some: Partial<ReportPage> = {}): ReportPage {
  const given = { clientName: evil, period, data: hostile, agency, madeOn: '2026-11-22' };
  return { ...given, language: 'en', logoUrl: undefined, blockers: [], ...some };
}

describe('the page of a report', () => {
  it.each(['en', 'es'] as const)('takes no text of the data for HTML, in %s', (language) => {
    const page = reportHtml(pageOf({ language }));
    expect(page).not.toMatch(/<script|<img|<iframe|<link|<object|javascript:/i);
    // No attribute but those that are written here: what is in a text keeps its quotes escaped.
    expect(page.replaceAll(/&lt;[^<]*/g, '')).not.toMatch(/\son\w+\s*=/i);
    expect(page.match(/&lt;script&gt;alert\(1\)/g)?.length).toBeGreaterThan(10);
    expect(page).toContain(`<html lang="${language}" data-theme="light">`);
    expect(page.replace(/<style>.*?<\/style>/s, '')).not.toMatch(/undefined|\bNaN\b|\[object/);
  });

  it('is one file: it names no address, runs nothing and loads nothing', () => {
    const page = reportHtml(pageOf({ logoUrl: 'data:image/png;base64,AAAA' }));
    expect(page).toContain(`content="default-src 'none'; img-src data:; style-src`);
    expect(page).not.toMatch(/https?:|\bhref=|\burl\((?!#)|@import/);
    expect(page).toContain('<img src="data:image/png;base64,AAAA" alt="Agencia &lt;b&gt;');
  });

  it('shows the charts of the dashboard, as wide as their places, in the colour of the agency', () => {
    const page = reportHtml(pageOf());
    const charts = [...page.matchAll(/data-chart="([^"]+)"/g)].map(([, name]) => name).join(' ');
    expect(charts).toBe('standing mention-rate voice rank-dimensions');
    expect(page).toContain('preserveAspectRatio="none"');
    expect(page).toContain('--own: #1f4e79');
  });

  it('says first what is found, and that it cannot be judged', () => {
    const found = reportHtml(pageOf({ data: reportData({ charts: { standing: [standing] } }) }));
    expect(found).toContain('<h1>Café fell clearly in its share of answers and in its AI Rank</h1>');
    expect(reportHtml(pageOf({ data: reportData(), clientName: 'Café' }))).toContain('<h1>Café</h1>');
  });

  it('says on the page that something was not up to date', () => {
    const blockers = [{ stream: 'prompts', why: 'stale', completeUntil: '2026-10-28' }] as const;
    const page = reportHtml(pageOf({ blockers }));
    expect(page).toContain('up to date when it was made; the oldest of it is complete until 28 Oct 2026.');
    expect(page).not.toContain('prompts');
  });

  it('shows twenty finished actions with a result, and how many more there are', () => {
    const actions = Array.from({ length: 25 }, (_, place) =>
      actionWith({ title: `Done ${place}.`, observed_value: '1' }),
    );
    const page = reportHtml(pageOf({ data: reportData({ actions }) }));
    expect(page).toContain('Done 19.');
    expect(page).not.toContain('Done 20.');
    expect(page).toContain('and 5 more');
  });

  it('names no cause', () => {
    const causes = /\beffect|\bcaused|led to|thanks to|efecto|gracias a|provoc/i;
    for (const language of ['en', 'es'] as const)
      expect(reportHtml(pageOf({ language })).replace(/<style>.*?<\/style>/s, '')).not.toMatch(causes);
  });
});

describe('what is said of actions', () => {
  const done = actionWith({});
  const open = actionWith({ status: 'en_curso' });
  const unknown = actionWith({ status: null });
  it.each([
    [[done, open], '1 action finished, 1 open', '1 acción terminada, 1 abierta'],
    [
      [done, unknown],
      '1 action finished, none open; the status of 1 is not known',
      '1 acción terminada, ninguna abierta; de 1 no se conoce el estado',
    ],
    [[unknown], undefined, undefined],
  ])('%#: how many were finished and are open', (actions, english, spanish) => {
    const rows = fields(actions);
    expect([actionsTitle(rows, 'en'), actionsTitle(rows, 'es')]).toEqual([english, spanish]);
  });
});

describe('the mail of a report', () => {
  const file = { fileName: 'report.html', type: 'text/html', content: '<p>' };

  it('holds what the charts find, escaped, and the file', () => {
    const data = reportData({ charts: { standing: [standing] }, actions: [actionWith({})] });
    const mail = reportMail(pageOf({ data }), ['a@example.com'], file);
    expect(mail.text).toContain(
      [
        '- Café fell clearly in its share of answers and in its AI Rank',
        '- Named in fewer answers: 42 % of the answers to 24 questions (384 answers), after 62 %. The AI Rank fell from 72 on 3 Oct 2026 to 54.1 on 31 Oct 2026',
        '- 1 action finished, none open',
      ].join('\n'),
    );
    expect(mail.attachments).toEqual([file]);
    expect(reportMail(pageOf(), ['a@example.com'], file).html).not.toMatch(/<script|<img|<svg|<b>/i);
  });
});

it('a tree as text escapes every text and attribute', () => {
  expect(textOf(h('p.a.b', { title: `"'<&>` }, h('b', '<i>'), undefined, '<', h('hr')))).toBe(
    '<p class="a b" title="&quot;&#39;&lt;&amp;&gt;"><b>&lt;i&gt;</b>&lt;<hr></p>',
  );
});
