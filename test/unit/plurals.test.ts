// One thing is said as one, wherever a count is printed.
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { type AccountBudget, budgetLines } from '../../src/cli/commands/budget-text.ts';
import { explainLines } from '../../src/cli/commands/plan-command.ts';
import { planLines } from '../../src/cli/commands/plan-text.ts';
import { parseBaseUrl } from '../../src/config/addresses.ts';
import { plural } from '../../src/core/text.ts';
import { gapText } from '../../src/store/slices/walk-history.ts';
import { define } from '../../src/streams/define.ts';
import type { AccountPlan } from '../../src/sync/plan/forecast.ts';
import type { Plan, PlannedWalk } from '../../src/sync/plan/plan.ts';

const now = new Date('2026-07-15T10:00:00Z');
const renews_at = '2026-07-16T00:00:00.000Z';

const accountPlan: AccountPlan = {
  account: 'a',
  slices: 3,
  to_do: 2,
  requests: 2,
  first_walks: 1,
  streams: [],
  fits: 1,
  incremental: 1,
  saved: 1,
  deferred: 1,
  deferred_streams: ['citas'],
  never_fit: [],
  tails_unseen: [],
  deferred_until: renews_at,
  requests_today: 1,
  ends_at: now.toISOString(),
  all_done_at: renews_at,
  parts: [{ phase: 'records', slices: 2, requests: 2, at_least: true }],
  all_within_days: 1,
  clients: null,
  not_known: null,
  refused_by: null,
  budget: {
    per_minute: 1,
    per_day: 1,
    reserved_for_people: 0,
    used_today: 0,
    remaining_today: 1,
    renews_at,
    closed_until: null,
  },
};

const planText = (more: Partial<AccountPlan>) =>
  planLines({ ...accountPlan, ...more }, '2026-07-15', now, 10_000).join('\n');

describe('a plan', () => {
  it('of one slice that fits and one that waits', () => {
    const text = planText({});
    expect(text).toContain('1 slice of 2 fits, 1 waits until 2026-07-16 00:00 UTC: citas.');
    expect(text).toContain('Every slice gets its turn within 1 day. The known 1 request of today takes');
    expect(text).toContain('1 archive refreshed incrementally, which saves 1 request;');
    expect(text).toContain(
      'takes less than a minute at 1 a minute, the last of all comes at about 2026-07-16 00:00 UTC.',
    );
    expect(text).toContain('1 first walk may need more than that, and so longer: the lists (at least 2).');
  });

  it('of several', () => {
    expect(planText({ to_do: 5, fits: 2, deferred: 3 })).toContain('2 slices of 5 fit, 3 wait until');
    expect(planText({ to_do: 5, fits: 5, deferred: 0 })).toContain('5 slices to walk, all of them fit.');
  });

  it('of one slice alone', () => {
    expect(planText({ to_do: 1, deferred: 0 })).toContain('1 slice to walk, it fits.');
  });

  it('of a walk that takes one request at least', () => {
    const never = { stream: 'citas', client_id: '', requests: 1 };
    expect(planText({ never_fit: [never] })).toContain('! citas takes at least 1 request, more than');
  });
});

const walk: PlannedWalk = {
  scope: { stream: 's', account: 'a', clientId: '1' },
  stream: define({ name: 's', route: 's', list: 'x', shape: 'archive', description: '' }),
  phase: 'records',
  lastRunDate: '2026-07-14',
  triedRunDate: '2026-07-14',
  plannedRunDate: '2026-07-01',
  lastFullDate: '2026-07-14',
  firstWalk: false,
  rests: undefined,
  firstWalkLimit: 2_000,
  isProbe: false,
  done: false,
  walking: false,
  storedPages: 0,
  full: 1,
  incremental: undefined,
  fullPages: 1,
  verdict: 'full refresh due',
  trust: { clean: 1, needed: 1, surprises: 0, leastPages: 2 },
  tailUnseen: false,
  ranOut: false,
  walk: 'full',
  requests: 1,
  leastPages: 1,
  fit: 'waits',
};

describe('an explanation', () => {
  const explain = (more: Partial<PlannedWalk>) => {
    const plan: Plan = {
      walks: [{ ...walk, ...more }],
      withinDays: 1,
      highFirst: false,
      restOfDay: 1,
      allFull: 1,
      archivesFull: 1,
      archivesMay: 0,
      fullFits: false,
    };
    return explainLines(plan, 's', { fullRefreshDays: 1 }, 10_000).join('\n');
  };

  it.each<[Partial<PlannedWalk>, string]>([
    [{ fit: 'waits' }, 'waits, 1 request does not fit into what remains today'],
    [{ fit: 'waits', requests: 2 }, 'waits, 2 requests do not fit into'],
    [{ fit: 'never' }, "is not begun, 1 request is more than a whole day's."],
    [{ fit: 'never', requests: 2 }, 'is not begun, 2 requests are more than'],
    [{}, 'the last full refresh was 2026-07-14, and one is due every day'],
    [{ verdict: 'not trusted' }, '1 full refresh in a row had its changes on the first pages, 1 is needed'],
    [{ walk: 'incremental' }, 'then until a page without anything new; in full every day, last'],
  ])('of %j', (more, text) => {
    expect(explain(more)).toContain(text);
  });
});

describe('a budget', () => {
  const budget: AccountBudget = {
    account: 'a',
    per_minute: 1,
    per_day: 1,
    reserved_for_people: 0,
    used_today: 0,
    remaining_today: 1,
    other_users_today: 1,
    renews_at,
    renewal: 'set',
    renewal_learned_at: null,
    closed_until: null,
    refused_at: null,
    hours: [],
    streams: [],
    days: [],
    writes: [],
  };

  it.each([
    [1, '0 of 1 request used today, 1 remaining for jobs', 'at least 1 request today that is not in this'],
    [2, '0 of 1 request used today', 'at least 2 requests today that are not in this ledger'],
  ])('with %i of somebody else', (other_users_today, used, others) => {
    const colors = picocolors.createColors(false);
    const text = budgetLines({ ...budget, other_users_today }, { width: 10_000, colors }).join('\n');
    expect(text).toContain(used);
    expect(text).toContain(others);
  });
});

describe('other texts', () => {
  it('count characters, pages and thousands', () => {
    expect(parseBaseUrl('x')).toMatchObject({
      hints: { got: expect.stringContaining('a text of 1 character ') },
    });
    expect(gapText('chain', { count: 1, last: 2, ends: 0, atEnd: false })).toContain(
      'got 1 page up to number 2',
    );
    expect(plural(1_234, 'try', 'tries')).toBe('1,234 tries');
  });
});
