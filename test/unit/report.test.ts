// Reports: their files, PDF and recipients, the page and its mail, what is withheld, and the period.

import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/core/errors.ts';
import { parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import type { ChartData } from '../../src/reporting/dashboard/charts/chart.ts';
import { h, textOf } from '../../src/reporting/dashboard/charts/tree.ts';
import { meaningOf } from '../../src/reporting/report/action-status.ts';
import { findBlockers } from '../../src/reporting/report/blockers.ts';
import { plain, recipientsOf } from '../../src/reporting/report/clients.ts';
import { reportMail } from '../../src/reporting/report/mail-report.ts';
import { type PeriodKind, periodText, reportPeriod } from '../../src/reporting/report/period.ts';
import { findChromium, printPdf } from '../../src/reporting/report/print-pdf.ts';
import { reportFileName, writeReportFile } from '../../src/reporting/report/produce-report.ts';
import { isEmpty, type ReportData, standingAt } from '../../src/reporting/report/read-report.ts';
import { actionsTitle, type ReportPage, reportHtml } from '../../src/reporting/report/report-html.ts';
import { readLogo } from '../../src/reporting/report/report-options.ts';
import { fields } from '../support/draw-context.ts';
import { eachFolder } from '../support/temp-folder.ts';

type Rows = readonly Readonly<Record<string, string | null>>[];

/** Rows by the names of their columns, of charts by their names. */
function reportData(
  some: Partial<Pick<ReportData, 'markers'>> & {
    readonly actions?: Rows;
    readonly experiments?: Rows;
    readonly charts?: Partial<Record<keyof ReportData['charts'], Rows>>;
  } = {},
): ReportData {
  const of = (name: keyof ReportData['charts']) => dataOf(some.charts?.[name] ?? []);
  const dataOf = (all: Rows): ChartData => {
    const columns = [...new Set(all.flatMap((row) => Object.keys(row)))];
    const rows = all.map((row) => columns.map((column) => row[column] ?? null));
    return { columns, rows, views: [], asOf: null, state: 'ready', missing: [], gaps: {} };
  };
  return {
    markers: some.markers ?? [],
    actions: dataOf(some.actions ?? []),
    experiments: dataOf(some.experiments ?? []),
    charts: {
      standing: of('standing'),
      'rank-trend': of('rank-trend'),
      'mention-rate': of('mention-rate'),
      voice: of('voice'),
      'rank-dimensions': of('rank-dimensions'),
      'changed-pages': of('changed-pages'),
    },
  };
}

function actionWith(some: Rows[number] = {}): Rows[number] {
  const done = { status: 'hecha', is_new: 't', status_since_date: '2026-10-10', priority: '1' };
  return { title: 'Publish a guide', ...done, ...some };
}

const folder = eachFolder();

const clientWith = (id: string, account = 'agency') => ({
  key: `${account}/${id}`,
  account,
  id,
  name: 'Café Ruiz',
  leftOn: null,
});

async function fileWith(name: string, content: string | Buffer): Promise<string> {
  await writeFile(folder(name), content);
  return folder(name);
}

describe('the logo', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  );

  it('is a data URL by what the file holds, whatever its name', async () => {
    const url = await readLogo(await fileWith('logo.txt', png));
    expect(url).toBe(`data:image/png;base64,${png.toString('base64')}`);
    const jpeg = Buffer.from(`ffd8ffe0${'00'.repeat(100)}ffda00`, 'hex');
    expect(await readLogo(await fileWith('logo', jpeg))).toMatch(/^data:image\/jpeg;base64,/);
    expect(await readLogo(undefined)).toBeUndefined();
  });

  it.each([
    ['cut.png', png.subarray(0, 20), 'got a file that is neither'],
    ['logo.svg', '<?xml version="1.0"?><svg onload="alert(1)">', 'got an SVG, which could hold a script'],
    ['huge.png', Buffer.concat([png, Buffer.alloc(2 ** 20)]), 'got 1048646 bytes'],
  ])('is refused where it is no picture: %s', async (name, content, got) => {
    await expect(readLogo(await fileWith(name, content))).rejects.toThrow(got);
  });
});

describe('the file of a report', () => {
  const today = parseRunDate('2026-11-22');
  if (today === undefined) throw new Error('no date');
  const month = reportPeriod('month', undefined, today);

  it('has a name of its own, whatever the id', () => {
    const nameOf = (id: string) => reportFileName(clientWith(id), month, 'es', 'html');
    expect(nameOf('c7')).toBe('cafe-ruiz.agency.c7-2026-10-es.html');
    const ids = ['nexo-sl', 'Nexo-SL', 'moda&co/es', 'moda-co-es', '../../etc/passwd', '..', 'ñ', '🤖'];
    const names = ids.map(nameOf);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.length);
    for (const name of names)
      expect(name).toMatch(/^cafe-ruiz\.agency\.[A-Za-z0-9_-]+(\.[a-z0-9]+)?-2026-10-es\.html$/);
    expect(reportFileName(clientWith('c7'), reportPeriod('week', today, today), 'en', 'pdf')).toBe(
      'cafe-ruiz.agency.c7-2026-11-16-until-2026-11-21-en.pdf',
    );
  });

  it('begins with the name of the client, where that has letters or digits', () => {
    const nameOf = (name: string) => reportFileName({ ...clientWith('c7'), name }, month, 'es', 'html');
    expect(nameOf('🤖 /../')).toBe('agency.c7-2026-10-es.html');
    expect(nameOf('مطعم ١')).toBe('مطعم-١.agency.c7-2026-10-es.html');
    expect(nameOf(`${'ñ'.repeat(80)}/x`)).toBe(`${'n'.repeat(30)}.agency.c7-2026-10-es.html`);
  });

  it('is there whole or not at all', async () => {
    const file = folder('deep', 'report.html');
    await writeReportFile(file, 'one');
    await writeReportFile(file, 'two');
    expect(await readFile(file, 'utf8')).toBe('two');
    await mkdir(folder('taken'));
    await expect(writeReportFile(folder('taken'), 'x')).rejects.toThrow();
    expect(await readdir(folder('deep'))).toEqual(['report.html']);
    expect((await readdir(folder())).sort()).toEqual(['deep', 'taken']);
  });
});

describe('who gets a report', () => {
  const all = [clientWith('c7'), clientWith('c8'), clientWith('c8', 'other')];
  const clients = { c7: ['c7@example.com'], 'other/c8': ['other@example.com'] };
  const config = { to: ['agency@example.com'], clients };

  it('is the client where it has addresses, and else the agency', () => {
    expect(recipientsOf(clientWith('c7'), all, config)).toEqual(['c7@example.com']);
    expect(recipientsOf(clientWith('c8', 'other'), all, config)).toEqual(['other@example.com']);
    expect(recipientsOf(clientWith('c8'), all, config)).toEqual(['agency@example.com']);
  });

  it('is never the client of another account', () => {
    const ambiguous = { to: ['agency@example.com'], clients: { c8: ['c8@example.com'] } };
    expect(() => recipientsOf(clientWith('c8'), all, ambiguous)).toThrow(
      'Expected report.clients to name one client by "c8", got 2 of them. Use account and id: agency/c8, other/c8',
    );
    const odd = clientWith('agency/c9', 'other');
    const given = { to: ['agency@example.com'], clients: { 'agency/c9': ['c9@example.com'] } };
    expect(recipientsOf(odd, [clientWith('c9'), odd], given)).toEqual(given.to);
  });
});

describe('the PDF', () => {
  const signal = new AbortController().signal;

  async function programThat(does: string): Promise<string> {
    const program = await fileWith('chromium', `#!/bin/sh\n${does}\n`);
    await chmod(program, 0o755);
    return program;
  }

  /** In the place of Chromium: a shell that knows the page as $page and the file to print as $pdf. */
  const chromiumThat = (prints: string) =>
    programThat(`for it; do case "$it" in
  --print-to-pdf=*) pdf="\${it#*=}";;
  --user-data-dir=*) profile="\${it#*=}";;
  file://*) page="\${it#file://}";;
esac; done
${prints}`);

  it('is what the program prints of the page, with scripts off and no network', async () => {
    const asked = folder('asked');
    const program = await chromiumThat(
      `echo "$@" > ${asked}; cat "$profile/Default/Preferences" >> ${asked}; (printf '%%PDF-1.4 '; cat "$page") > "$pdf"`,
    );
    const bytes = await printPdf(program, '<p>ñ</p>', { signal });
    expect(Buffer.from(bytes).toString()).toBe('%PDF-1.4 <p>ñ</p>');
    const text = await readFile(asked, 'utf8');
    expect(text).toContain('--host-resolver-rules=MAP * ~NOTFOUND');
    expect(text).toContain('"default_content_setting_values":{"javascript":2}');
  });

  it.each([
    ['printf hello > "$pdf"', /^Expected .*chromium to print a PDF, got 5 bytes of something else$/],
    ['echo no printer >&2', /printed no PDF: it ended by exit code 0; no printer$/],
    ['printf %%PDF- > "$pdf"; kill -9 $$', /printed no PDF: it ended by SIGKILL$/],
    ['echo no display >&2; exit 3', /printed no PDF: it ended by exit code 3; no display$/],
  ])('is an error where the program prints none: %s', async (prints, message) => {
    await expect(printPdf(await chromiumThat(prints), '', { signal })).rejects.toThrow(message);
  });

  it('is given up on in time, with what the program started', async () => {
    const marker = folder('marker');
    const program = await programThat(`(sleep 1; touch ${marker}) & echo hanging >&2; wait`);
    await expect(printPdf(program, '', { signal, timeoutMs: 300 })).rejects.toThrow(
      /printed no PDF: it was not done in time; hanging$/,
    );
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(await readdir(folder())).toEqual(['chromium']);
    await expect(printPdf(folder('none'), '', { signal })).rejects.toThrow(/printed no PDF: spawn .* ENOENT/);
  });

  it('needs a program, and says what to install', async () => {
    await expect(findChromium(undefined, folder())).rejects.toThrow(
      /^No Chromium was found for --pdf\. Install Chromium or Chrome/,
    );
    for (const none of [folder('none'), folder()])
      await expect(findChromium(none, undefined)).rejects.toThrow(
        `Expected AIRANK_CHROMIUM to be the path of a program that can be run, got "${none}`,
      );
    const program = await programThat('exit 0');
    expect(await findChromium(undefined, `/nowhere:${folder()}`)).toBe(program);
    expect(await findChromium(program, undefined)).toBe(program);
  });
});

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

const file = { fileName: 'report.html', type: 'text/html', content: '<p>' };

it('the mail of a report holds what the charts find, escaped, and the file', () => {
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

it('a tree as text escapes every text and attribute', () => {
  expect(textOf(h('p.a.b', { title: `"'<&>` }, h('b', '<i>'), undefined, '<', h('hr')))).toBe(
    '<p class="a b" title="&quot;&#39;&lt;&amp;&gt;"><b>&lt;i&gt;</b>&lt;<hr></p>',
  );
});

describe('what is withheld', () => {
  const slice = (stream: string, client_id: string, status: string, complete_run_date: string | null) => ({
    ...{ stream, client_id, status, complete_run_date, run_date: '2026-11-01' },
  });

  it('reads slices that failed, or that do not reach the end of the period', () => {
    const slices = [
      slice('respuestas', '', 'failed', '2026-10-30'),
      slice('citations', '', 'deferred', '2026-10-28'),
      slice('competitors', '', 'failed', '2026-10-31'),
      slice('experiments', '', 'unavailable', null),
      slice('products', '', 'failed', null),
      slice('actions', '', 'failed', null),
    ];
    expect(findBlockers(slices, 'c7', '2026-10-31')).toEqual([
      { stream: 'actions', why: 'failed', completeUntil: null },
      { stream: 'citations', why: 'stale', completeUntil: '2026-10-28' },
      { stream: 'respuestas', why: 'failed', completeUntil: '2026-10-30' },
    ]);
  });

  it("goes by the client's own slice where it has one", () => {
    const own = slice('airank', 'c7', 'complete', '2026-11-01');
    expect(findBlockers([slice('airank', '', 'failed', null), own], 'c7', '2026-10-31')).toEqual([]);
    const stale = slice('airank', 'c7', 'complete', '2026-10-01');
    const account = slice('airank', '', 'complete', '2026-11-01');
    expect(findBlockers([account, stale], 'c7', '2026-10-31')).toHaveLength(1);
  });
});

it.each([
  ['hecha', 'done'],
  ['Completado', 'done'],
  ['DONE', 'done'],
  ['descartada', 'dropped'],
  ['en_curso', 'open'],
  ['not done', 'open'],
  ['', 'unknown'],
])('the status %j of an action is read as %s', (status, meaning) => {
  expect(meaningOf(status)).toBe(meaning);
});

describe('where a client stood', () => {
  const october = { from: '2026-10-01', to: '2026-10-31' };
  const mention = ['mention_rate', 'mention_direction', 'mention_to_date', 'mention_line'];
  const columns = [...mention, 'answer_count', 'score', 'usual_mention_change'];
  const row = (until: string) => ['0.2', 'fell', until, '0.3 0.2', '480', '10', '0.1'];
  const rank = { columns: ['score'], rows: [['54.1']] };
  const engines = {
    columns: ['week_date', 'mentioned_count', 'known_count'],
    rows: [
      ['2026-09-21', '0', '100'],
      ['2026-10-05', '30', '50'],
      ['2026-10-26', '10', '50'],
    ],
  };
  const at = (until: string) => standingAt({ columns, rows: [row(until)] }, rank, engines, october).rows[0];

  it('is judged by answers of the period or of the week after it', () => {
    for (const until of ['2026-10-01', '2026-11-07'])
      expect(at(until)).toEqual(['0.2', 'fell', until, '0.3 0.2', '480', '54.1', '0.1']);
  });

  it('has the share of its newest four weeks and no verdict where answers are later', () => {
    for (const until of ['2026-09-30', '2026-11-08'])
      expect(at(until)).toEqual(['0.4', null, null, '0.3 0.2', '100', '54.1', null]);
  });

  it('is nothing where nothing was measured in the period', () => {
    expect(isEmpty(reportData(), october)).toBe(true);
    const of = (charts: Parameters<typeof reportData>[0]) => isEmpty(reportData(charts), october);
    expect(of({ charts: { standing: [{ client_name: 'Café' }] } })).toBe(true);
    expect(of({ charts: { standing: [{ score: '1' }] } })).toBe(false);
    expect(of({ charts: { 'mention-rate': [{ week_date: '2026-09-21' }] } })).toBe(true);
    expect(of({ charts: { 'mention-rate': [{ week_date: '2026-10-05' }] } })).toBe(false);
    expect(of({ charts: { 'changed-pages': [{ run_date: '2026-10-05' }] } })).toBe(false);
  });
});

it('texts of the data are short, on one line, and turn nothing around', () => {
  expect(plain('a\r\n b\u202e\u2066c\0')).toBe('a bc');
  expect([...plain('🤖'.repeat(500))]).toHaveLength(120);
  expect(plain(null)).toBe('');
});

const day = (text: string): RunDate => {
  const date = parseRunDate(text);
  if (date === undefined) throw new RangeError(text);
  return date;
};

const periodOf = (kind: PeriodKind, date: string | undefined, today: string) =>
  reportPeriod(kind, date === undefined ? undefined : day(date), day(today));

describe('the period of a report', () => {
  it.each([
    ['month', undefined, '2026-11-22', '2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
    ['month', undefined, '2026-03-01', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
    ['month', '2024-02-29', '2026-11-22', '2024-02-01', '2024-02-29', '2024-01-01', '2024-01-31'],
    ['month', '2025-12-31', '2026-11-22', '2025-12-01', '2025-12-31', '2025-11-01', '2025-11-30'],
    // A Sunday: its week is not over yet.
    ['week', undefined, '2026-11-22', '2026-11-09', '2026-11-15', '2026-11-02', '2026-11-08'],
    ['week', undefined, '2026-11-23', '2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15'],
    ['week', '2027-01-03', '2027-06-01', '2026-12-28', '2027-01-03', '2026-12-21', '2026-12-27'],
  ] as const)('%s with %s in it, on %s', (kind, date, today, from, to, beforeFrom, beforeTo) => {
    const before = { from: beforeFrom, to: beforeTo };
    expect(periodOf(kind, date, today)).toEqual({ kind, from, to, isSoFar: false, before });
  });

  it('ends yesterday while it lasts', () => {
    const period = periodOf('month', '2026-11-22', '2026-11-22');
    expect(period).toMatchObject({ from: '2026-11-01', to: '2026-11-21', isSoFar: true });
    expect(periodText(period, 'en')).toBe('November 2026, so far, until 21 Nov 2026');
  });

  it('is refused where none of its days is over', () => {
    expect(() => periodOf('month', '2026-12-24', '2026-11-22')).toThrow(ConfigError);
    expect(() => periodOf('week', '2026-11-23', '2026-11-23')).toThrow(
      'Expected --date to be in a week that began before 2026-11-23, got "2026-11-23"',
    );
  });
});
