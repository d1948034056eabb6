// Checks which client is meant, what a chart lacks, whose charts a page has, and when the list of ready views is read.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseClient } from '../../src/cli/selection.ts';
import type { Executor } from '../../src/db/database.ts';
import type { Chart } from '../../src/reporting/dashboard/charts/chart.ts';
import type { PageScope } from '../../src/reporting/dashboard/page/page-data.ts';
import { chartsOf, scopeInAddress, shownPages } from '../../src/reporting/dashboard/page/page-state.ts';
import * as pages from '../../src/reporting/dashboard/read/read-dashboard-page.ts';
import { chooseScope, knownReadiness } from '../../src/reporting/dashboard/read/read-overview.ts';
import { findClient } from '../../src/reporting/report/clients.ts';
import type { Lack, Readiness, readReadiness } from '../../src/status/view-readiness.ts';

const { gapsOf, isNotGiven, readablePeriod, unmappedFields } = pages;
const scope = (account: string, clientId: string, name: string): PageScope => ({
  ...{ clientKey: `${account}/${clientId}`, account, clientId, name, leftOn: null },
});

describe('the client that is meant', () => {
  const clients = [scope('a', '7', 'Bodega Luna'), scope('b', '7', 'Hotel Faro'), scope('b', '8', '7')];
  const scopes = [scope('a', '', 'Agency'), ...clients];
  const reported = clients.map((one) => ({ ...one, key: one.clientKey, id: one.clientId }));

  it('is found by the same rule for pages, notes, alerts and reports', () => {
    for (const [given, account] of Object.entries({ 'b/7': 'b', 'bodega luna': 'a' })) {
      expect(chooseScope(scopes, given).clientKey).toBe(`${account}/7`);
      expect(chooseClient({ client: given }, scopes)).toEqual({ account, clientId: '7' });
      expect(findClient(reported, given)).toMatchObject({ account, id: '7' });
    }
    expect(chooseClient({ client: '7', account: 'b' }, scopes)).toEqual({ account: 'b', clientId: '7' });
    for (const one of [() => chooseClient({ client: '7' }, scopes), () => findClient(reported, '7')])
      expect(one).toThrow('which means 2. Use one of a/7, b/7');
  });

  it('is never the account itself', () => {
    for (const given of ['a/', '', 'Agency'])
      expect(() => chooseScope(scopes, given)).toThrow('Expected a client');
  });
});

describe('what a chart lacks', () => {
  const lack = (column: string, field: string, more: Partial<Lack> = {}): Lack => ({
    ...{ column, shows: 'nothing', field, stream: 'airank', why: 'not_found', ...more },
  });
  const lacks = [
    ...[lack('score', 'rank.score'), lack('score', 'rank.old', { why: 'never_synced' })],
    ...[lack('position', 'rank.position', { shows: 'partly' }), lack('source', 'rank.source')],
    lack('date', 'rank.date', { why: 'absent' }),
  ];
  const other = { view: 'bi.other', has_rows: true, lacks: [lack('score', 'x.score')] };
  const lacking = [{ view: 'bi.rank_trend', has_rows: true, lacks }, other];
  const readiness: Readiness = { count: 2, with_rows: 2, lacking };
  const statement = 'select t.date, t.score, t.position, t.source_count from bi.rank_trend as t';
  const streams = ['airank', 'visibility', 'airank_history', 'visibility_history'];

  it('are fields of its views, of columns that it names and of which nothing is read', () => {
    expect(unmappedFields(statement, readiness)).toEqual(['rank.score']);
  });

  it('tells what is not mapped from what a client is not given, by column and of the whole', () => {
    const gaps = (...streams: string[]) => gapsOf(statement, readiness, new Set(streams));
    expect(gaps('airank')).toEqual({ score: 'not_mapped', date: 'not_mapped' });
    expect(gaps(...streams)).toMatchObject({ position: 'not_given' });
    expect(gapsOf(statement, undefined, new Set())).toEqual({});
    expect(isNotGiven(statement, new Set(['airank']))).toBe(false);
    expect(isNotGiven(statement, new Set([...streams, 'rank2']))).toBe(true);
  });
});

it('the period that is read holds what may have data, whatever is asked for', () => {
  const today = '2026-03-04';
  const whole = readablePeriod({ from: '0000-01-01', to: '9999-12-31' }, today);
  expect(whole).toEqual({ from: '2000-01-01', to: '2027-03-05' });
  expect(readablePeriod({ from: '0000-01-01', to: '0001-01-01' }, today).to).toBe('2000-01-01');
  expect(readablePeriod({ from: '9990-01-01', to: '9999-01-01' }, today).from).toBe('2027-03-05');
});

describe('the charts of a page', () => {
  const chart = (name: string, page: Chart['page'], of: Chart['scope']) =>
    ({ name, page, scope: of }) as Chart;
  const ofAccount = [chart('tiles', 'portfolio', 'account'), chart('bots', 'sources', 'account')];
  const ofBoth = [chart('trend', 'client', 'both'), chart('pages', 'sources', 'both')];
  const all = [...ofAccount, chart('standing', 'client', 'client'), ...ofBoth];
  const names = (page: Chart['page'], isAccount: boolean) =>
    chartsOf(all, page, isAccount).map(({ name }) => name);

  it('are of a client only what is its own', () => {
    expect(shownPages(all, false)).toEqual(['client', 'sources']);
    expect([names('sources', false), names('portfolio', false)]).toEqual([['pages'], []]);
    expect(names('client', false)).toEqual(['standing', 'trend']);
  });

  it('are of the account its own, and those of what is measured of itself', () => {
    expect(shownPages(all, true)).toEqual(['portfolio', 'client', 'sources']);
    expect([names('sources', true), names('client', true)]).toEqual([['bots', 'pages'], ['trend']]);
  });
});

describe('an address', () => {
  const scopes = [scope('a', '', 'Agency'), scope('a', '7', 'Bodega Luna'), scope('a', '8', 'Clínica Ondas')];
  const keyOf = (given: string | undefined, among = scopes) => {
    const asked = scopeInAddress(among, given);
    return asked?.isUnknown === true ? 'unknown' : asked?.scope.clientKey;
  };

  it.each([
    ['nobody: the first there is', undefined, 'a/'],
    ['an account', 'a/', 'a/'],
    ['a client by its key', 'a/7', 'a/7'],
    ['a client by its id alone', '7', 'a/7'],
    ['a client by its name', 'bodega luna', 'a/7'],
    ['somebody who is not here', 'a/9', 'unknown'],
    ['nothing that could be somebody', '', 'unknown'],
  ])('may name %s', (_, given, key) => {
    expect(keyOf(given)).toBe(key);
  });

  it('names nobody by an id that several have, nor where nobody is', () => {
    expect(keyOf('7', [...scopes, scope('b', '7', 'Hotel Faro')])).toBe('unknown');
    expect(scopeInAddress([], 'a/7')).toBeUndefined();
  });
});

describe('the list of ready views', () => {
  const reading = vi.fn<typeof readReadiness>();
  const found: Readiness = { count: 1, with_rows: 1, lacking: [] };
  const db = {} as Executor;

  beforeEach(() => {
    vi.useFakeTimers();
    reading.mockReset();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('is read once by all who ask at the same time, and again after three minutes', async () => {
    reading.mockResolvedValue(found);
    const known = knownReadiness(db, () => undefined, reading);
    expect(await Promise.all([known.wait(), known.wait()])).toEqual([found, found]);
    expect(known.now()).toBe(found);
    expect(reading).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(180_001);
    expect(known.now()).toBe(found);
    expect(reading).toHaveBeenCalledTimes(2);
  });

  it('that failed is not read again before three minutes', async () => {
    reading.mockRejectedValue(new Error('canceled'));
    const onFailure = vi.fn();
    const known = knownReadiness(db, onFailure, reading);
    expect([await known.wait(), await known.wait(), known.now()]).toEqual([undefined, undefined, undefined]);
    expect(reading).toHaveBeenCalledTimes(1);
    expect(onFailure).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(180_001);
    reading.mockResolvedValue(found);
    expect(await known.wait()).toBe(found);
  });
});
