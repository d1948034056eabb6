// Reads the scopes and dates to choose from.

import type pg from 'pg';
import { namedClient } from '../../../config/names.ts';
import type { Executor } from '../../../db/database.ts';
import { type Readiness, readReadiness } from '../../../status/view-readiness.ts';
import { type ChartScope, readChart } from '../../reader/statements.ts';
import type { Marker, Period } from '../charts/chart.ts';
import type { PageScope } from '../page/page-data.ts';

/** @throws ConfigError if none matches, or more than one does */
export function chooseScope(scopes: readonly PageScope[], given: string): PageScope {
  return namedClient(scopes, given, 'a client of bi.clients');
}

/** Reader of the page. A client sees no muted alerts, and notes only if somebody allowed that. */
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

/** Readiness of the views, read once and again every few minutes; no page waits for it. */
export interface KnownReadiness {
  now(): Readiness | undefined;
  /** Waits for it, to tell what cannot be told without it. */
  wait(): Promise<Readiness | undefined>;
}

const renewedAfterMs = 180_000;

/** @param db undefined if there is only a role that reads bi; then nothing is known */
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
    // A failed read counts too, because each empty chart of a page asks.
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

/** Reads the dates of everything, or of one account or client. Undefined if nothing is published. */
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
