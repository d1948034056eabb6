import { defineJob } from '../src/jobs/define-job.ts';

export default defineJob({
  name: 'rank-watch',
  description:
    'The AI Rank and its official form, several times a day: two requests for each client and the account, each time.',
  schedule: '0 8-20/4 * * *',
  streams: ['airank', 'visibility'],
  again: true,
  priority: 'high',
});
