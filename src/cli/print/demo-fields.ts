// The only place outside the sandbox that names its fields: what the demo's summary shows of its world.
import type { FigureFields } from '../../warehouse/reports/demo-report.ts';

export const rankFields: FigureFields = {
  stream: 'airank',
  name: ['empresa'],
  value: ['puntuacion'],
  method: ['metodo'],
};

/** A query to begin with; holds neither `"` nor `$`, so that it can be pasted into a shell. */
export const firstQuery =
  "select payload ->> 'empresa' as client, min((payload ->> 'puntuacion')::numeric) as lowest, " +
  "max((payload ->> 'puntuacion')::numeric) as highest, count(*) as versions from snapshot.airank group by 1 order by 3 desc";
