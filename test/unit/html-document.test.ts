// Data inside HTML: whatever the texts are, they end no script and begin none. The browser part is what the build made.
import { createHash } from 'node:crypto';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as document from '../../src/reporting/dashboard/document/html-document.ts';
import { oneFolder } from '../support/temp-folder.ts';

const { dataScript, readAssets, selfContained } = document;

describe('a block of data', () => {
  const hostile = ['</script><script>alert(1)</script>', '<!--<script>', ']]>', '\u2028', '‮', '&lt;', '💥'];
  it('gives back every text as it was, and holds no mark that a parser looks for', () => {
    const text = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const block = /^<script type="application\/json" id="x">(.*)<\/script>$/s;
        const [, inside = ''] = block.exec(dataScript(texts, { id: 'x' })) ?? [];
        expect(inside).not.toMatch(/[<>&]/);
        expect(JSON.parse(inside)).toEqual(texts);
      }),
    );
  });

  it('keeps texts inside their attribute', () => {
    expect(dataScript(1, { 'data-client-key': 'a/"><b' })).toBe(
      '<script type="application/json" data-client-key="a/&quot;&gt;&lt;b">1</script>',
    );
  });
});

it('the document allows its own script and style by their hashes, and nothing else', () => {
  const script = 'say("</script><!-- -->")';
  const [before, after] = selfContained({ script, style: 'a{}' }, { language: 'en', title: '<i>"&' });
  const inline = /<script>(.*?)<\/script>/s.exec(after)?.[1] ?? '';
  expect(inline).toBe('say("<\\/script><\\!-- -->")');
  const hash = createHash('sha256').update(inline).digest('base64');
  expect(before).toContain(`script-src 'sha256-${hash}'`);
  expect(before).toContain("default-src 'none'");
  expect(before).toContain('<title>&lt;i&gt;&quot;&amp;</title>');
});

describe('the browser part', () => {
  const root = oneFolder();

  async function write(path: string, text: string, atS: number): Promise<void> {
    const file = join(root, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
    await utimes(file, atS, atS);
  }

  it('says what to run where there is no build, or an older one', async () => {
    expect(() => readAssets(root)).toThrow('is not built. Run: npm run build');
    await write('dist/dashboard/app.js', 'js', 2_000);
    await write('dist/dashboard/app.css', 'css', 2_000);
    expect(readAssets(root)).toEqual({ script: 'js', style: 'css' });
    await write('src/reporting/dashboard/browser/app.ts', '', 1_000);
    // Files that do not run in the browser do not count.
    await write('src/reporting/dashboard/serve/dashboard-server.ts', '', 3_000);
    expect(readAssets(root)).toEqual({ script: 'js', style: 'css' });
    await write('src/reporting/dashboard/charts/rank-trend.ts', '', 3_000);
    expect(() => readAssets(root)).toThrow('is older than its sources. Run: npm run build');
  });
});
