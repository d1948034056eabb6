import { expect, it } from 'vitest';
import { runDateFlag } from '../../src/cli/flags.ts';

const now = new Date('2026-04-03T23:00:00Z');

function read(text: string | undefined, timeZone = 'UTC') {
  const faults: string[] = [];
  return { date: runDateFlag(text, timeZone, now, faults), faults };
}

it('takes today, tomorrow and any date before, in the time zone of the setting', () => {
  expect(read(undefined)).toEqual({ date: '2026-04-03', faults: [] });
  for (const date of ['2026-04-04', '2020-01-01']) expect(read(date)).toEqual({ date, faults: [] });
  expect(read('2026-04-05', 'Asia/Tokyo')).toEqual({ date: '2026-04-05', faults: [] });
});

it('refuses a later date, which would lock every date before it', () => {
  expect(read('2026-04-05')).toEqual({
    date: undefined,
    faults: [
      'Expected --run-date to be at most 2026-04-04, tomorrow in UTC, got "2026-04-05": ' +
        'the API shows today’s data, and once a later date is published every date before it is refused',
    ],
  });
});
