// What the scheduler calls after a batch and on each look: alerts are looked for, or only told.
import type { AlertsRun } from '../../alerts/run-alerts.ts';
import type { FollowUpPort } from '../../jobs/schedule/follow-ups.ts';

/** @param run looks and tells, or only tells when `check` is false */
export function alertsPort(
  run: (options: { readonly check: boolean }) => Promise<Pick<AlertsRun, 'isBusy' | 'broken'>>,
  stop: AbortSignal,
): FollowUpPort {
  // A process may have died between a batch and its alerts, so looks make up for it until one succeeds.
  let isMadeUp = false;
  const look = async (check: boolean) => {
    if (stop.aborted) return;
    const { isBusy, broken } = await run({ check });
    if (check && !isBusy && broken.length === 0 && !stop.aborted) isMadeUp = true;
  };
  return { afterBatch: () => look(true), onLook: () => look(!isMadeUp) };
}
