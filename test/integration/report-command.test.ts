// airank report from the flags to the files and the mails.
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { airank } from '../support/fake-terminal.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.ts';
import { eachFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase(() => createSandboxWarehouse({ from: '2026-03-01', days: 8 }));
const at = eachFolder();
let smtp: SmtpServer;
let ids: readonly string[];

beforeAll(async () => {
  const found = await database.pool.query<{ id: string }>(
    'select client_id as id from bi.clients where not is_account order by 1',
  );
  ids = found.rows.map(({ id }) => id);
});

beforeEach(async () => {
  smtp = await startSmtpServer({ refuses: ['gone@example.com'] });
});

afterEach(async () => {
  await smtp.close();
});

async function report(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const said = await airank(['report', ...args], {
    env: { DATABASE_URL: database.url, ...env },
    cwd: at(),
  });
  return { code: said.exitCode, out: said.stdout, err: said.stderr };
}

const week = ['--period', 'week', '--date', '2026-03-03'] as const;
const mailing = () => ({
  AIRANK_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  AIRANK_MAIL_FROM: 'Agency <reports@example.com>',
});

describe('airank report', () => {
  it('writes one file with the name and the colours of the agency, and prints its path', async () => {
    const text = "agency: { name: Vértice & Co, footer: Calle Mayor 1, colors: { accent: '#7a1f4e' } }";
    await writeFile(at('airank.config.yaml'), text);
    const ended = await report([ids[0] ?? '', ...week, '--language', 'es', '--output', 'week.html']);
    expect(ended).toEqual({ code: 0, out: 'week.html\n', err: '' });
    const page = await readFile(at('week.html'), 'utf8');
    for (const said of ['Cómo leerlo', 'Vértice &amp; Co', '--own: #7a1f4e', '<p>Calle Mayor 1</p>'])
      expect(page).toContain(said);
  });

  it.each([
    [['nobody'], {}, 2, /^Expected the id or the name of a client, got "nobody"\. There are: /],
    [[], {}, 2, /^Expected a client, or --all, got neither/],
    [['c', '--all'], {}, 2, /^Expected a client or --all, got both/],
    [['c', '--again'], {}, 2, /^Expected --again with --all or --mail/],
    [['c', '--date', 'x'], {}, 2, /^Expected --date to be a date such as 2026-04-03, got "x"/],
    [['c', '--period', 'year'], {}, 2, /Allowed choices are month, week/],
    [['c', '--mail'], {}, 2, /^Expected AIRANK_SMTP_URL to be set for reports by mail/],
    [['c', '--mail', '--demo'], {}, 2, /^--mail cannot be used with --demo/],
    [
      ['c', '--pdf', '--output', 'week.html'],
      {},
      2,
      /^Expected --output to end in \.pdf with --pdf, got "week/,
    ],
    [['c', '--output', 'week.PDF'], {}, 2, /^Expected --output not to end in \.pdf without --pdf/],
    [['c', '--pdf'], { PATH: '/nowhere' }, 2, /^No Chromium was found for --pdf/],
    [['--all', '--date', '2019-05-05'], {}, 1, /reports\/2019-05: 0 written, 2 without data\n$/],
    [['ID', '--date', '2019-05-05'], {}, 1, /would be empty: nothing was measured/],
    [
      ['ID', '--period', 'week', '--date', '2026-03-10'],
      {},
      1,
      /is withheld: acciones is stale \(complete until/,
    ],
  ] as const)('ends %j in one line and writes nothing', async (args, env, code, line) => {
    const ended = await report(
      args.map((arg) => (arg === 'ID' ? (ids[0] ?? '') : arg)),
      env,
    );
    expect(ended.err).toMatch(line);
    expect(ended).toMatchObject({ code, out: '' });
    expect(await readdir(at())).toEqual([]);
  });

  it('refuses a logo that is no picture', async () => {
    await writeFile(at('airank.config.yaml'), 'agency: { logo: logo.png }');
    await writeFile(at('logo.png'), 'hello');
    const ended = await report([ids[0] ?? '', ...week]);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toMatch(
      /^Expected agency\.logo to be a PNG or JPEG of at most 1 MiB, got a file that is neither/,
    );
  });

  it('writes every client into a folder, and goes on where it was stopped', async () => {
    const first = await report(['--all', ...week]);
    expect(first.code).toBe(0);
    const files = (await readdir(at('reports/2026-03-02'))).sort();
    expect(files).toHaveLength(ids.length);
    expect(first.out.trim().split('\n').sort()).toEqual(files.map((name) => `reports/2026-03-02/${name}`));
    expect(first.err).toMatch(/^1\/2 default\/.*: written\n2\/2 .*\nreports\/2026-03-02: 2 written\n$/);

    const [one = '', two = ''] = files.map((name) => at('reports/2026-03-02', name));
    await rm(two);
    await utimes(one, 1, 1);
    const next = await report(['--all', ...week, '--json']);
    expect(next.err).toContain('1 written, 1 there already');
    const { reports } = JSON.parse(next.out) as { reports: { state: string }[] };
    expect(reports.map(({ state }) => state).sort()).toEqual(['there', 'written']);
    expect((await stat(one)).mtimeMs).toBe(1000);
    expect((await report(['--all', ...week, '--again'])).err).toContain('2 written');
    expect((await stat(one)).mtimeMs).toBeGreaterThan(1000);
  });

  it('mails each report with its file to those who get it, once, also where the file was there', async () => {
    const config = `report: { to: [agency@example.com], clients: { ${JSON.stringify(ids[0])}: [client@example.com] } }`;
    await writeFile(at('airank.config.yaml'), config);
    await report(['--all', ...week]);
    const ended = await report(['--all', ...week, '--mail'], mailing());
    expect(ended).toMatchObject({ code: 0, err: expect.stringContaining('sent to client@example.com') });
    expect(smtp.mails.flatMap(({ to }) => to).sort()).toEqual(['agency@example.com', 'client@example.com']);
    expect(smtp.mails[0]?.source).toMatch(/Content-Disposition: attachment;\s+filename=/);
    const again = await report(['--all', ...week, '--mail'], mailing());
    expect(again.err).toContain('2 there already');
    expect(smtp.mails).toHaveLength(2);
  });

  describe('by mail', () => {
    const to = (addresses: string) => writeFile(at('airank.config.yaml'), `report: { to: [${addresses}] }`);
    const one = (...flags: string[]) =>
      report([ids[0] ?? '', ...week, '--output', 'x.html', '--mail', ...flags], mailing());

    beforeEach(async () => {
      await database.pool.query('delete from sync.report_sent');
    });

    it('writes the file where the mail was refused, and tries the refused address alone again', async () => {
      await to('Ana <Ok@example.com>, gone@example.com');
      const first = await one();
      expect(first).toMatchObject({ code: 1, out: 'x.html\n' });
      expect(first.err).toContain('but not mailed to gone@example.com: the mail server refused the address');
      expect(first.err).toContain('Sent to Ana <Ok@example.com>\n');
      const next = await one();
      expect(next.code).toBe(1);
      expect(next.err).toMatch(/not mailed to gone@example\.com: The mail server .* refused the mail: /);
      expect(next.err).toContain('Not sent to Ana <Ok@example.com>, who already got it.');
      expect(smtp.mails.map((mail) => mail.to)).toEqual([['Ok@example.com']]);
    });

    it('sends again with --again alone', async () => {
      await to('ok@example.com');
      expect((await one()).code).toBe(0);
      expect((await one()).code).toBe(0);
      expect(smtp.mails).toHaveLength(1);
      expect((await one('--again')).code).toBe(0);
      expect(smtp.mails).toHaveLength(2);
    });

    it('sends nothing where the file cannot be written', async () => {
      await to('ok@example.com');
      await mkdir(at('reports'));
      await writeFile(at('reports', '2026-03-02'), 'a file');
      const ended = await report(['--all', ...week, '--mail'], mailing());
      expect(ended.code, ended.err).toBe(1);
      const refused = await report(['--all', ...week, '--mail', '--output', 'reports/2026-03-02'], mailing());
      expect(refused).toMatchObject({ code: 2, out: '' });
      expect(refused.err).toBe('Expected --output to be a folder, got the file "reports/2026-03-02"\n');
      expect(smtp.mails).toEqual([]);
    });
  });
});
