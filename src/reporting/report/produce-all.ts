// The reports of many clients, one after the other. One that fails leaves the others alone.
import type { ReportClient } from './clients.ts';
import type { ReportPeriod } from './period.ts';
import { type Outcome, type OutcomeState, type ProduceOptions, produceReport } from './produce-report.ts';

/** Clients that were there at the end of the period. */
export function clientsOf(
  clients: readonly ReportClient[],
  { to }: Pick<ReportPeriod, 'to'>,
): readonly ReportClient[] {
  return clients.filter(({ leftOn }) => leftOn === null || leftOn > to);
}

/** @throws ConfigError where nobody gets the mail of one of them, before the first is made */
export async function produceAll(
  clients: readonly ReportClient[],
  options: ProduceOptions,
  onOutcome: (outcome: Outcome, done: number) => void = () => undefined,
): Promise<readonly Outcome[]> {
  for (const client of clients) options.mail?.recipientsOf(client);
  const outcomes: Outcome[] = [];
  for (const client of clients) {
    options.signal.throwIfAborted();
    const outcome = await produceReport(client, options);
    outcomes.push(outcome);
    onOutcome(outcome, outcomes.length);
  }
  return outcomes;
}

export function countOf(outcomes: readonly Outcome[], state: OutcomeState): number {
  return outcomes.filter((outcome) => outcome.state === state).length;
}
