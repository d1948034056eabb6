import { describe, expect, test } from 'vitest';
import type { Probed } from '../../src/api/ask-once.ts';
import { checkSchema, checkServer, probeChecks } from '../../src/cli/commands/doctor-checks.ts';
import { explainSettings } from '../../src/config/explain-settings.ts';
import type { RunDate } from '../../src/core/run-date.ts';
import type { ServerFacts } from '../../src/db/server-facts.ts';
import { testAccount } from '../support/api-client-setup.ts';

const account = testAccount('https://api.example.com');
const good: ServerFacts = {
  ...{ version: '15.4', encoding: 'UTF8', role: 'etl', database: 'warehouse', databaseBytes: 1_000 },
  ...{ mayConnect: true, mayCreateSchemas: true, mayCreateTemporaryTables: true, readOnly: false },
  ...{ foreignSchemas: [], knowsTimeZone: true },
};

function answered(more: Partial<Probed>): Probed {
  const answer = { status: 200, headers: {}, text: '{}', bytes: 2, replacedBytes: 0 };
  return {
    verdict: { kind: 'ok', answer, json: {} },
    headers: { limit: 60, remaining: 59, resetS: 40 },
    clockAheadMs: 100,
    durationMs: 12,
    ...more,
  };
}

const levels = (probed: Probed) => probeChecks(account, probed).map((check) => check.level);

describe('the database', () => {
  const faults = (facts: Partial<ServerFacts>) =>
    checkServer({ ...good, ...facts }, 'UTC').filter((check) => check.level !== 'fine');

  test('is fine when everything is', () => expect(faults({})).toEqual([]));

  test.each([
    [{ encoding: 'LATIN1' }, 'fault', /encoding 'UTF8'/],
    [{ readOnly: true }, 'fault', /Connect to the primary/],
    [{ mayCreateSchemas: false }, 'fault', /grant create on database "warehouse" to "etl"/],
    [{ mayCreateTemporaryTables: false }, 'fault', /grant temporary on/],
    [{ foreignSchemas: ['sync'] }, 'warning', /Connect as that role/],
    [{ knowsTimeZone: false }, 'warning', /AIRANK_TIMEZONE/],
  ])('with %j says the fix', (facts, level, fix) => {
    expect(faults(facts)).toEqual([expect.objectContaining({ level, fix: expect.stringMatching(fix) })]);
  });

  const whole = { left: [], gone: { needed: [], views: [] }, pending: [], readable: true };
  const gone = { needed: ['sync.learn_fields()'], views: ['bi.clients'] };
  test.each([
    [{ unknown: 'Update.' }, 'fault', 'Update.'],
    [{ pending: ['1', '2'], readable: false }, 'fine', ''],
    [{ pending: ['000002_more'] }, 'warning', '1 migration to apply (000002_more)'],
    [{ pending: ['code/a.sql', 'code/b.sql'] }, 'warning', '2 functions to install (first: code/a.sql)'],
    [{ gone }, 'fault', 'This warehouse has lost objects: sync.learn_fields(), bi.clients'],
  ])('with the schema %j is judged', (schema, level, text) => {
    const check = checkSchema({ ...whole, ...schema });
    expect(check.level).toBe(level);
    expect(check.text).toContain(text);
  });
});

describe('the answer of the API', () => {
  test('200 means that the key is accepted', () => {
    expect(levels(answered({}))).toEqual(['fine', 'fine', 'fine']);
    expect(probeChecks(account, answered({}))[1]?.text).toBe('60 requests a minute, 59 left, renews in 40 s');
  });

  test.each([
    [401, 'fault'],
    [403, 'fault'],
    // 404 is no word about the key.
    [404, 'warning'],
  ])('%i is a %s with the fix', (status, level) => {
    const verdict = { kind: 'unavailable', status, problem: `answered ${status}`, fix: 'Do this.' } as const;
    expect(probeChecks(account, answered({ verdict }))[0]).toMatchObject({ level, fix: 'Do this.' });
  });

  test.each([
    [5_000, 'fine'],
    [5_001, 'warning'],
    [-60_000, 'warning'],
  ])('a clock that is %i ms off is %s', (clockAheadMs, level) => {
    expect(levels(answered({ clockAheadMs })).at(-1)).toBe(level);
  });

  test('a clock that shows another day than the server is a fault, with the way out', () => {
    const otherDay = { ours: '2027-01-02' as RunDate, theirs: '2026-11-23' as RunDate };
    const off = probeChecks(account, answered({ clockAheadMs: -40 * 86_400_000, otherDay })).at(-1);
    expect(off).toMatchObject({ level: 'fault' });
    expect(off?.text).toContain(
      "is 960 h ahead of the server's: it is 2027-01-02 here and 2026-11-23 there, so no",
    );
    expect(off?.fix).toContain("If the server's clock is wrong, run: airank sync --run-date 2027-01-02");
  });
});

describe('the settings', () => {
  const files: Record<string, string> = {
    '/w/.env': 'AIRANK_API_KEY=supersecretkey\nAIRANK_PER_DAY=many\n',
    '/w/airank.config.yaml': 'per_minute: 30\ntimezone: Europe/Madrid\n',
  };
  const readFile = (path: string) => {
    const text = files[path];
    if (text === undefined) throw Object.assign(new Error('none'), { code: 'ENOENT' });
    return text;
  };
  const env = { AIRANK_TIMEZONE: 'UTC', DATABASE_URL: 'postgres://me:hush@db.example.com:5433/warehouse' };
  const explained = explainSettings({ env, cwd: '/w', readFile });
  const of = (variable: string) => explained.find((setting) => setting.variable === variable);

  test('come each with where it is from, and with what is wrong', () => {
    expect(of('AIRANK_API_KEY')).toMatchObject({ from: 'AIRANK_API_KEY in .env' });
    expect(of('AIRANK_PER_MINUTE')).toMatchObject({ from: 'per_minute in airank.config.yaml', shown: '30' });
    expect(of('AIRANK_TIMEZONE')).toMatchObject({ from: 'AIRANK_TIMEZONE', shown: 'UTC' });
    expect(of('AIRANK_RESERVE_PERCENT')).toMatchObject({ from: 'default', shown: '5' });
    expect(of('AIRANK_API_KEY_FILE')).toMatchObject({ from: undefined, shown: undefined });
    expect(of('AIRANK_PER_DAY')?.faults.join()).toContain('in .env to be an integer >= 1, got "many"');
  });

  test('never show a secret', () => {
    expect(of('AIRANK_API_KEY')?.shown).toBe('set, 14 characters');
    expect(of('DATABASE_URL')?.shown).toBe('db.example.com:5433/warehouse');
    expect(JSON.stringify(explained)).not.toMatch(/supersecretkey|hush/);
  });
});
