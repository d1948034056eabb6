import { defineJob } from '../src/jobs/define-job.ts';

export default defineJob({
  name: 'history-backfill',
  description: 'The history routes, once, so that trends have a past from the first day.',
  once: true,
  streams: { tags: ['history'] },
  walk: 'full',
  priority: 'high',
});
