// What happened on the axes of time, by who looks at them: notes and muted alerts are the agency's own.
import type pg from 'pg';
import { type ChartScope, readChart } from '../../reader/statements.ts';
import type { Marker } from '../charts/chart.ts';

/** Who a page is made for. A client sees no muted alert, and notes only where somebody said so. */
export type Audience = 'agency' | 'client' | 'client_with_notes';

const markerTypes = ['method_change', 'action', 'alert', 'note'] as const;

export async function readMarkers(pool: pg.Pool, scope: ChartScope, audience: Audience): Promise<Marker[]> {
  const { rows } = await readChart(pool, audience === 'agency' ? 'markers' : 'client-markers', scope);
  return rows.flatMap(([date, given, title]) => {
    const type = markerTypes.find((one) => one === given);
    if (date == null || type === undefined) return [];
    if (type === 'note' && audience === 'client') return [];
    return [{ date, type, title: title ?? '' }];
  });
}
