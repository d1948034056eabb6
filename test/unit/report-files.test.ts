import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parseRunDate } from '../../src/core/run-date.ts';
import { recipientsOf } from '../../src/reporting/report/clients.ts';
import { reportPeriod } from '../../src/reporting/report/period.ts';
import { findChromium, printPdf } from '../../src/reporting/report/print-pdf.ts';
import { reportFileName, writeReportFile } from '../../src/reporting/report/produce-report.ts';
import { readLogo } from '../../src/reporting/report/report-options.ts';
import { eachFolder } from '../support/temp-folder.ts';

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
