import { defineJob } from '../src/jobs/define-job.ts';

export default defineJob({
  name: 'daily-snapshot',
  description: 'Every stream of every client, once a night.',
  schedule: '15 3 * * *',
  beginAtOnce: true,
  deadlineHours: 30,
});
