// What became of reports, for machines and for the batch of a job.
import type { Period } from '../dashboard/charts/chart.ts';
import type { Outcome } from './produce-report.ts';

export function outcomeJson(outcomes: readonly Outcome[], { from, to }: Period) {
  return {
    from,
    to,
    reports: outcomes.map(({ client, state, file, mailedTo, unsentTo, detail }) => ({
      client_key: client.key,
      client_name: client.name,
      state,
      file: state === 'written' || state === 'there' ? file : null,
      mailed_to: mailedTo,
      not_mailed_to: unsentTo,
      detail: detail === '' ? null : detail,
    })),
  };
}
