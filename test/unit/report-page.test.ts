import { describe, expect, it } from 'vitest';
import { parseRunDate } from '../../src/core/run-date.ts';
import { reportMail } from '../../src/reporting/report/mail-report.ts';
import { reportPeriod } from '../../src/reporting/report/period.ts';
import { drawRank } from '../../src/reporting/report/rank-picture.ts';
import { html, type ReportPage, reportHtml, trusted } from '../../src/reporting/report/report-html.ts';
import { sentencesOf } from '../../src/reporting/report/sentences.ts';
import { actionWith, figuresWith, measured, rankOf } from '../support/report-figures.ts';

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

const hostile = figuresWith({
  rank: rankOf(['2026-09-30', evil, '51.6', '4', 'before'], ['2026-10-31', evil, '54.1', '3']),
  measured: (['engine', 'dimension', 'competitor'] as const).map((kind) => measured(kind, evil, 30, 10)),
  actions: [
    actionWith({ title: evil, reading: evil, metric: evil, observed: 1 }),
    actionWith({ title: evil, meaning: 'open', status: evil, priority: evil, postponedUntil: evil }),
  ],
  experiments: [
    {
      name: evil,
      metric: evil,
      before: { date: evil, value: 1 },
      after: { date: evil, value: 2 },
      reading: evil,
    },
  ],
  notes: [{ date: evil, text: evil }],
});

async function pageOf(some: Partial<ReportPage> = {}): Promise<ReportPage> {
  const figures = some.figures ?? hostile;
  const language = some.language ?? 'en';
  const rows = [['2026-10-31', evil, '54.1', '3', null, evil, evil]];
  const columns = ['date', 'method', 'score', 'position', 'excluded_reason', 'api_reasons', 'source'];
  const drawing = { columns, rows, period, language, label: evil };
  return {
    clientName: evil,
    period,
    language,
    figures,
    sentences: sentencesOf(figures, language),
    picture: drawRank(figures, drawing),
    agency,
    logoUrl: undefined,
    blockers: [],
    madeOn: '2026-11-22',
    ...some,
  };
}

describe('the page of a report', () => {
  it.each(['en', 'es'] as const)('takes no text of the data for HTML, in %s', async (language) => {
    const page = reportHtml(await pageOf({ language }));
    expect(page).not.toMatch(/<script|<img|<b>|<iframe|<link|<object|javascript:/i);
    // No attribute but those that are written here: what is in a text keeps its quotes escaped.
    expect(page.replaceAll(/&lt;[^<]*/g, '')).not.toMatch(/\son\w+\s*=/i);
    expect(page.match(/&lt;script&gt;alert\(1\)/g)?.length).toBeGreaterThan(10);
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).not.toMatch(/undefined|\bNaN\b|\[object/);
  });

  it('is one file: it names no address, runs nothing and loads nothing', async () => {
    const page = reportHtml(await pageOf({ logoUrl: 'data:image/png;base64,AAAA' }));
    expect(page).toContain('content="default-src &#39;none&#39;; img-src data:; style-src');
    expect(page.replaceAll(/xmlns(:\w+)?="[^"]+"/g, '')).not.toMatch(/https?:|\bhref=|\burl\((?!#)|@import/);
    expect(page).toContain('<img src="data:image/png;base64,AAAA" alt="Agencia &lt;b&gt;');
  });

  it('holds the picture once, as wide as its place, in the colour of the agency', async () => {
    const page = reportHtml(await pageOf());
    expect(page.match(/<svg [^>]*role="img"/g)).toHaveLength(1);
    expect(page).toContain('preserveAspectRatio="none"');
    expect(page).toContain('--accent: #1f4e79');
  });

  it('says what there is not', async () => {
    const page = reportHtml(await pageOf({ figures: figuresWith({}), clientName: 'Café' }));
    expect(page).toContain('There is no comparable point of the AI Rank in this period.');
    expect(page).toContain('No action has a known status.');
    expect(page).not.toContain('class="notice"');
  });

  it('says on the page that something was not up to date', async () => {
    const blockers = [{ stream: 'prompts', why: 'stale', completeUntil: '2026-10-28' }] as const;
    const page = reportHtml(await pageOf({ blockers }));
    expect(page).toContain('up to date when it was made; the oldest of it is complete until 28 Oct 2026.');
    expect(page).not.toContain('prompts');
  });

  it('says of when the words on actions are, where that is after the period', async () => {
    const note = 'Priority, expectation and result of actions are those of';
    const pageWith = async (readOn: string) =>
      reportHtml(await pageOf({ figures: figuresWith({ actions: [actionWith({ readOn })] }) }));
    expect(await pageWith('2026-11-20')).toContain(`${note} 20 Nov 2026.`);
    expect(await pageWith('2026-10-31')).not.toContain(note);
  });

  it('shows twenty finished actions and notes, and how many more there are', async () => {
    const actions = Array.from({ length: 25 }, (_, place) => actionWith({ title: `Done ${place}.` }));
    const notes = Array.from({ length: 23 }, (_, place) => ({ date: '2026-10-05', text: `Note ${place}.` }));
    const page = reportHtml(await pageOf({ figures: figuresWith({ actions, notes }) }));
    expect(page).toContain('Done 19.');
    expect(page).not.toContain('Done 20.');
    expect(page).toContain('and 5 more');
    expect(page).not.toContain('Note 20.');
    expect(page).toContain('and 3 more');
  });

  it('shows what has no verdict with its unit and interval, and no change of it', async () => {
    const engine = measured('engine', 'ai_overviews', 37.5);
    const interval = { low: 21.23, high: 57.3 };
    const figures = figuresWith({
      measured: [
        { ...engine, now: { ...engine.now, from: '2026-10-04', interval } },
        measured('competitor', 'Rival_1', 40, 10),
      ],
    });
    const page = reportHtml(await pageOf({ figures }));
    expect(page).toContain('Answers of AI Overviews that name the brand, 4 Oct 2026 to 31 Oct 2026');
    expect(page).toContain('>37.5\u00a0% (21.2 to 57.3\u00a0%)<');
    expect(page).toContain('Competitor Rival_1, mentions in 100 answers');
    expect(page).toMatch(/>10<\/td><td class="number">40<\/td><\/tr>/);
  });

  it('names no cause', async () => {
    for (const language of ['en', 'es'] as const) {
      const page = reportHtml(await pageOf({ language, clientName: 'Café' }));
      expect(page.replace(/<style>.*?<\/style>/s, '')).not.toMatch(
        /\beffect|\bcaused|led to|thanks to|efecto|gracias a|provoc/i,
      );
    }
  });
});

describe('the mail of a report', () => {
  const file = { fileName: 'report.html', type: 'text/html', content: '<p>' };

  it('holds the sentences and one table, escaped, and the file', async () => {
    const mail = reportMail(await pageOf(), ['a@example.com'], file);
    expect(mail.html?.match(/<table/g)).toHaveLength(1);
    expect(mail.html).not.toMatch(/<script|<img|<svg|<b>/i);
    expect(mail.text).toContain(
      '- The AI Rank was 54.1 on 31 Oct 2026; there is nothing to compare it with.',
    );
    expect(mail.text).toMatch(/Figure \| Before \| Now\nAI Rank .* \| 51\.6 \| 54\.1\nAnswers of /);
    expect(mail.attachments).toEqual([file]);
  });

  it('has no table where nothing is to be compared', async () => {
    const mail = reportMail(
      await pageOf({ figures: figuresWith({}), language: 'es' }),
      ['a@example.com'],
      file,
    );
    expect(mail.html).not.toContain('<table');
    expect(mail.text).toContain('El informe entero va adjunto');
  });
});

describe('html', () => {
  it('escapes every value but what it made itself', () => {
    expect(
      html`<p title="${`"'<&>`}">${html`<b>${'<i>'}</b>`}${['<', 1]}${undefined}${trusted('<hr>')}</p>`.text,
    ).toBe('<p title="&quot;&#39;&lt;&amp;&gt;"><b>&lt;i&gt;</b>&lt;1<hr></p>');
  });
});
