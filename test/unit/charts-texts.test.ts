import { describe, expect, it } from 'vitest';
import { cutText, detailOf } from '../../src/reporting/dashboard/charts/format.ts';
import { promptGaps } from '../../src/reporting/dashboard/charts/prompt-gaps.ts';
import { drawContext } from '../support/draw-context.ts';

describe('texts of the data in pictures', () => {
  it('are no style and no template of the charts', () => {
    expect(detailOf({ data: { detail: '{bold|x}' } })).toBe('{\u2060bold|x}');
    expect(detailOf({ data: 7 })).toBe('');
    const [drawing] = promptGaps.draw([['q', '{c}', '1', '9', null, null, null, null]], drawContext());
    expect(drawing).toMatchObject({
      option: { series: [{ data: [{ label: { formatter: expect.any(Function) } }] }] },
    });
  });

  it('are cut between characters, on one line', () => {
    expect(cutText('one\n two  three', 20)).toBe('one two three');
    expect(cutText('ab🦉cd', 4)).toBe('ab🦉…');
  });
});
