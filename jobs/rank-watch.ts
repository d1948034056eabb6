import { defineJob } from '../src/schedule/define-job.ts';

export default defineJob({
  name: 'rank-watch',
  description: 'The AI Rank and its official form, several times a day.',
  schedule: '0 8,12,16,20 * * *',
  streams: ['airank', 'visibility'],
});
