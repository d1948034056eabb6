import { describe, expect, it } from 'vitest';
import { filePeriods, periodFor } from '../../src/reporting/dashboard/page/page-state.ts';

describe('the dates of a file', () => {
  it('are there once while no statement samples them', () => {
    const half = { from: '2026-01-01', to: '2026-06-29' };
    expect(filePeriods(half, 'client')).toEqual([half]);
  });

  it('are there day by day at their end, and by week as a whole', () => {
    const years = { from: '2024-01-01', to: '2026-06-29' };
    expect(filePeriods(years, 'client')).toEqual([{ from: '2026-01-01', to: '2026-06-29' }, years]);
  });

  it('are there once for each choice where they are counted over it', () => {
    const months = { from: '2026-04-01', to: '2026-06-29' };
    const begin = ['2026-06-23', '2026-06-02', '2026-05-05', '2026-04-01'];
    expect(filePeriods(months, 'questions').map(({ from }) => from)).toEqual(begin);
    expect(begin[periodFor({ from: '2026-06-02', to: '2026-06-29' }, begin)]).toBe('2026-06-02');
  });

  it('are taken from the shortest part that holds the choice, else from all there is', () => {
    const from = ['2026-01-01', '2024-01-01'];
    expect(periodFor({ from: '2026-06-02', to: '2026-06-29' }, from)).toBe(0);
    expect(periodFor({ from: '2026-01-01', to: '2026-06-29' }, from)).toBe(0);
    expect(periodFor({ from: '2025-12-31', to: '2026-06-29' }, from)).toBe(1);
    expect(periodFor({ from: '2020-01-01', to: '2026-06-29' }, from)).toBe(1);
  });
});
