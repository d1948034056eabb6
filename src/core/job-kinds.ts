/** What jobs do, as job files, the queue and `airank jobs worker --kinds` name it. All but the first are `OtherJob`s. */
export const jobKinds = ['sync', 'report', 'prune', 'push-logs', 'backup'] as const;

export type JobKind = (typeof jobKinds)[number];
