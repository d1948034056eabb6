// Reads the scopes and dates to choose from.

import type pg from 'pg';
import { namedClient } from '../../../config/names.ts';
import type { Executor } from '../../../db/database.ts';
import { type Readiness, readReadiness } from '../../../status/view-readiness.ts';
import { type ChartScope, readChart } from '../../reader/statements.ts';
import type { Marker, Period } from '../charts/chart.ts';
import type { PageScope } from '../page/page-data.ts';

/** @throws ConfigError where there is none, or more than one */
export function chooseScope(scopes: readonly PageScope[], given: string): PageScope {
  return namedClient(scopes, given, 'a client of bi.clients');
}

/** Who a page is made for. A client sees no muted alert, and notes only where somebody said so. */
export type Audience = 'agency' | 'client' | 'client_with_notes';

const markerTypes = ['method_change', 'action', 'alert', 'note'] as const;

export async function readMarkers(pool: pg.Pool, scope: ChartScope, audience: Audience): Promise<Marker[]> {
  const { rows } = await readChart(pool, 'markers', scope);
  return rows.flatMap(([date, given, title, titleEs, detail, isMuted, ...effect]) => {
    const type = markerTypes.find((one) => one === given);
    if (date == null || type === undefined) return [];
    if (type === 'note' && audience === 'client') return [];
    if (audience !== 'agency' && isMuted !== 'f' && isMuted !== 'false') return [];
    const [metric = null, from = null, to = null, observed = null] = effect;
    const isExpected = to !== null || observed !== null;
    const expectation = isExpected ? { metric, from, to, observed } : undefined;
    const told = { titleEs: titleEs ?? undefined, detail: detail ?? undefined, expectation };
    return [{ date, type, title: title ?? '', ...told }];
  });
}

/** The readiness of views, read once and again every few minutes, without a page that waits for it. */
export interface KnownReadiness {
  now(): Readiness | undefined;
  /** For what cannot be told without it. */
  wait(): Promise<Readiness | undefined>;
}

const renewedAfterMs = 180_000;

/** @param db undefined: there is only a role that reads bi, and nothing is known */
export function knownReadiness(
  db: Executor | undefined,
  onFailure: (error: unknown) => void,
  read: typeof readReadiness = readReadiness,
): KnownReadiness {
  let known: Readiness | undefined;
  let reading: Promise<Readiness | undefined> | undefined;
  let readAt: number | undefined;
  const wait = async (): Promise<Readiness | undefined> => {
    if (db === undefined) return undefined;
    // Also where it failed: each empty chart of a page asks.
    if (readAt !== undefined && Date.now() - readAt <= renewedAfterMs) return known;
    reading ??= read(db)
      .then((found) => {
        known = found;
        return found;
      })
      .catch((error: unknown) => {
        onFailure(error);
        return known;
      })
      .finally(() => {
        readAt = Date.now();
        reading = undefined;
      });
    return known ?? (await reading);
  };
  return {
    now: () => {
      void wait();
      return known;
    },
    wait,
  };
}

const everything = { account: '', clientId: '', from: '0001-01-01', to: '9999-12-31' };

export async function readShownScopes(pool: pg.Pool): Promise<readonly PageScope[]> {
  const { rows } = await readChart(pool, 'scopes', everything);
  return rows.map(([clientKey, account, clientId, name, leftOn]) => ({
    clientKey: clientKey ?? '',
    account: account ?? '',
    clientId: clientId ?? '',
    name: name ?? '',
    leftOn: leftOn ?? null,
  }));
}

/** Reads the dates of everything, or of one account or client. Undefined: nothing is published. */
export async function readDates(
  pool: pg.Pool,
  scope: Pick<PageScope, 'account' | 'clientId'> = everything,
): Promise<Period | undefined> {
  const { account, clientId } = scope;
  const { rows } = await readChart(pool, 'dates', { ...everything, account, clientId });
  const [from, firstRunDate, to] = rows[0] ?? [];
  if (to == null) return undefined;
  const first = [from, firstRunDate, to].filter((day) => day != null).sort()[0];
  return { from: first ?? to, to };
}
