// airank budget: what is left of the day, who spent it, and when it renews.
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { type AccountBudget, budgetLines } from '../../src/cli/commands/budget-command.ts';

const renews_at = '2026-07-16T00:00:00.000Z';
const colors = picocolors.createColors(false);

describe('a budget', () => {
  const budget: AccountBudget = {
    ...{ account: 'a', per_minute: 1, per_day: 1, reserved_for_people: 0, used_today: 0 },
    ...{ remaining_today: 1, other_users_today: 1, renews_at, renewal_learned_at: null },
    ...{ renewal: 'set', closed_until: null, hours: [], streams: [], writes: [] },
  };

  const lines = (more: Partial<AccountBudget>) =>
    budgetLines({ ...budget, ...more }, { width: 80, timeZone: 'Europe/Madrid', colors });

  it('says what is left, who used it, and when it renews', () => {
    const hours = [{ hour: '2026-07-15T01:00:00.000Z', jobs: 88, people: 0, other_users: 0 }];
    const streams = Array.from({ length: 8 }, (_, index) => ({ stream: `s${index}`, requests: 9 - index }));
    const day = { per_day: 5_000, reserved_for_people: 250, used_today: 101, remaining_today: 4_649 };
    const until = new Date('2026-04-04T00:00:00Z');
    const closed = { closed_until: until, closed_reason: 'answered 429: quota', opens_at: null };
    const use = { account: 'a', kind: 'measurement', used: 0, most: 3, renews_at: until } as const;
    const writes = [{ ...use, ...closed }];
    const renewal = 'assumed';
    expect(lines({ per_minute: 60, ...day, hours, streams, writes, renewal, other_users_today: 0 })).toEqual([
      '4,649 of 5,000 requests are left for jobs until 16 Jul 02:00 (Europe/Madrid)',
      '',
      `  █${'░'.repeat(37)}▒▒`,
      '  █ 101 used   ░ 4,649 left for jobs   ▒ 250 reserved for people',
      '',
      '  hour   jobs  people  others',
      `  03:00    88       0       0  ${'▇'.repeat(20)}`,
      '',
      '  most by stream: s0 9, s1 8, s2 7, s3 6, s4 5, s5 4; 2 others 5',
      '',
      '  60 a minute. The day renews 16 Jul 02:00 (Europe/Madrid), midnight UTC, assumed: the server has not said otherwise.',
      '  Nobody else seems to use the key.',
      '  0 of 3 measurements today sent; refused until 4 Apr 02:00 (Europe/Madrid), answered 429: quota',
    ]);
  });

  it('of a key that is closed says until when, and how to open it', () => {
    const text = lines({ closed_until: '2026-07-15T12:00:00.000Z' });
    expect(text[0]).toBe('✗ No requests until 15 Jul 14:00 (Europe/Madrid), after a refusal of the server');
    expect(text.at(-1)).toBe('    airank budget --reopen a    if you know that this was a mistake');
  });

  it.each([
    [1, '0 used', 'At least 1 request today is not in this ledger'],
    [2, '1 of 1 request is left for jobs', 'At least 2 requests today are not in this ledger'],
  ])('with %i of somebody else', (other_users_today, used, others) => {
    const text = lines({ other_users_today }).join('\n');
    expect(text).toContain(used);
    expect(text).toContain(others);
  });
});
