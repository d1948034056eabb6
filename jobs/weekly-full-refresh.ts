import { defineJob } from '../src/jobs/define-job.ts';

export default defineJob({
  name: 'weekly-full-refresh',
  description:
    'Everything on Sundays, every page of the archives too, before daily-snapshot, which then finds it done.',
  schedule: '15 1 * * sun',
  walk: 'full',
  priority: 'low',
});
