import { defineJob } from '../src/schedule/define-job.ts';

export default defineJob({
  name: 'weekly-full-walk',
  description: 'Every page of every archive on Sundays, before daily-snapshot, which then finds them done.',
  schedule: '15 1 * * sun',
  walk: 'full',
  priority: 'low',
});
