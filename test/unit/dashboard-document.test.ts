// Data inside HTML: whatever the texts are, they end no script and begin none.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataScript, selfContained } from '../../src/reporting/dashboard/document/html-document.ts';

describe('a block of data', () => {
  const hostile = ['</script><script>alert(1)</script>', '<!--<script>', ']]>', '\u2028', '‮', '&lt;', '💥'];
  it('gives back every text as it was, and holds no mark that a parser looks for', () => {
    const text = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const [, inside = ''] =
          /^<script type="application\/json" id="x">(.*)<\/script>$/s.exec(dataScript(texts, { id: 'x' })) ??
          [];
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

describe('the document', () => {
  it('allows its own script and style by their hashes, and nothing else', () => {
    const script = 'say("</script><!-- -->")';
    const [before, after] = selfContained({ script, style: 'a{}' }, { language: 'en', title: '<i>"&' });
    const inline = /<script>(.*?)<\/script>/s.exec(after)?.[1] ?? '';
    expect(inline).toBe('say("<\\/script><\\!-- -->")');
    const hash = createHash('sha256').update(inline).digest('base64');
    expect(before).toContain(`script-src 'sha256-${hash}'`);
    expect(before).toContain("default-src 'none'");
    expect(before).toContain('<title>&lt;i&gt;&quot;&amp;</title>');
  });
});
