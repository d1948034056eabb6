// What `npm run mutation` breaks, one change at a time: the files that decide. A new rule file belongs here.

/** Percent of its mutants that the unit tests must notice, in each file. */
export const leastScore = 85;

export const decidingFiles: readonly string[] = [
  'src/api/classify.ts',
  'src/api/paginate.ts',
  'src/jobs/schedule/overdue.ts',
  'src/streams/fields/client-field.ts',
  'src/streams/fields/error-marks.ts',
  'src/streams/fields/judge-body.ts',
  'src/sync/walk/confirmation.ts',
  'src/sync/plan/forecast.ts',
  'src/sync/plan/urgency.ts',
  'src/sync/walk/walk-guard.ts',
  'src/publish/vanish-rule.ts',
  'src/store/slices/whole-walk.ts',
];
