// What `npm run mutation` breaks, one change at a time: the files that decide. A new rule file belongs here.

/** Percent of its mutants that the unit tests must notice, in each file. */
export const leastScore = 85;

export const decidingFiles: readonly string[] = [
  'src/api/classify.ts',
  'src/api/paginate.ts',
  'src/schedule/overdue.ts',
  'src/streams/client-field.ts',
  'src/streams/error-marks.ts',
  'src/streams/judge-body.ts',
  'src/sync/belief.ts',
  'src/sync/forecast.ts',
  'src/sync/urgency.ts',
  'src/sync/walk-guard.ts',
  'src/warehouse/vanish-rule.ts',
  'src/warehouse/whole-walk.ts',
];
