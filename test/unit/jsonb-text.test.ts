import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsNumeric, toJsonbText } from '../../src/store/pages/pages.ts';

describe('toJsonbText', () => {
  it('leaves a body that jsonb can hold as the server sent it', () => {
    const text =
      '{"a": 9007199254740993, "b": 1.0000000000000000001, "c": "\\u00e1\\ud83d\\ude00\\\\u0000", "d": 1e400}';
    expect(toJsonbText(text)).toEqual({ text, replaced: 0 });
  });

  it.each([
    ['"a\\u0000b"', '"a\\ufffdb"', 1],
    ['"\\ud800"', '"\\ufffd"', 1],
    ['"\\ud83d\\ud83d\\ude00"', '"\\ufffd\\ud83d\\ude00"', 1],
    ['"\\u0041\\udc00"', '"\\u0041\\ufffd"', 1],
    ['{"\\u0000":1}', '{"\\ufffd":1}', 1],
    ['[1e200000]', '["1e200000"]', 1],
    ['[-1E+131072,2]', '["-1E+131072",2]', 1],
    ['[1e-20000]', '["1e-20000"]', 1],
    ['{"a":"1e200000","b":1e200000}', '{"a":"1e200000","b":"1e200000"}', 1],
    ['{"a\\"":1e200000}', '{"a\\"":"1e200000"}', 1],
  ])('turns %s into %s', (text, expected, replaced) => {
    expect(toJsonbText(text)).toEqual({ text: expected, replaced });
  });

  it('keeps every body valid JSON, and every other value what it was', () => {
    const escapes = String.raw`\u0000 \ud800 \udc00 \ud83d\ude00 \\ \" \n`.split(' ');
    const unit = fc.constantFrom(...escapes, 'x', '1e99999');
    const text = fc.array(unit, { maxLength: 12 }).map((parts) => `"${parts.join('')}"`);
    const number = fc.constantFrom('1e99999', '1e999999', '-0.5', '12', '0e-99999');
    const value = fc.oneof(text, number);
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), (values) => {
        const clean = JSON.parse(toJsonbText(`[${values.join(',')}]`).text);
        expect(clean).toHaveLength(values.length);
        for (const [index, source] of values.entries()) {
          if (/\\u(0000|d[89a-f])/.test(source)) continue;
          const asItWas = source.startsWith('"') || fitsNumeric(source);
          expect(clean[index]).toEqual(asItWas ? JSON.parse(source) : source);
        }
      }),
    );
  });

  it('finds every number beyond the limits, however its digits and its exponent share them', () => {
    const length = fc.oneof(fc.nat(20), fc.integer({ min: 7_000, max: 17_000 }));
    const near = fc.integer({ min: -1_200, max: 1_200 });
    const exponent = fc.oneof(near, fc.integer({ min: -17_000, max: -7_000 }));
    fc.assert(
      fc.property(length, length, exponent, (integer, fraction, power) => {
        const literal = `1${'0'.repeat(integer)}.${'1'.repeat(fraction + 1)}e${power}`;
        expect(toJsonbText(`[${literal}]`).replaced).toBe(fitsNumeric(literal) ? 0 : 1);
      }),
      { examples: [[0, 15_899, -600]], endOnFailure: true },
    );
  });

  it('knows the borders of numeric', () => {
    expect(fitsNumeric('1e131071')).toBe(true);
    expect(fitsNumeric('1e131072')).toBe(false);
    expect(fitsNumeric('0.1e131072')).toBe(true);
    expect(fitsNumeric('1e-16383')).toBe(true);
    expect(fitsNumeric('1e-16384')).toBe(false);
    expect(fitsNumeric(`0.${'1'.repeat(16_383)}`)).toBe(true);
    expect(fitsNumeric(`0.${'1'.repeat(16_384)}`)).toBe(false);
    expect(fitsNumeric('0e131073')).toBe(true);
  });
});
