// Clients that are no longer listed: what is stored of them ends on the run date of the list, without a request.

import { publish } from '../../publish/publish.ts';
import type { KnownClients } from '../../store/evidence/clients.ts';
import { isListPublished, scopesThatLeft } from '../../store/evidence/clients-left.ts';
import { planSlices } from '../../store/slices/plan-slices.ts';
import { claimSlice } from '../../store/slices/slices.ts';
import { clientsStreamOf } from '../plan/selected-scopes.ts';
import type { AccountRun } from './account-run.ts';
import { isDayOver } from './day-watch.ts';

/**
 * Ends the slices of clients that are no longer in the list of this run date. The list itself has proved the loss
 * (warehouse/publish/judge-loss.ts). Where clients have no identifier, none counts as gone.
 */
export async function endClientsThatLeft(run: AccountRun, known: KnownClients): Promise<void> {
  const { account, db, runDate, runId, state, stop, outlast } = run;
  const list = clientsStreamOf(run);
  if (list === undefined || known.key.length === 0 || known.withoutId > 0) return;
  if (!(await outlast(() => isListPublished(db, account.name, list.name, runDate)))) return;
  const streams = run.streams.filter((stream) => stream.perClient).map((stream) => stream.name);
  const left = await outlast(() => scopesThatLeft(db, account.name, streams, known.ids, runDate));
  const told = new Set<string>();
  for (const slice of await outlast(() => planSlices(db, runDate, left, runId))) {
    stop.throwIfAborted();
    if (isDayOver(run)) return;
    await outlast(async () => {
      if (!(await claimSlice(db, { ...slice, walk: 'left', again: true }))) return;
      const published = await publish(db, { ...slice, pages: 'single', key: [], hasLeft: true });
      state.report(slice, 'complete', published);
    });
    if (told.has(slice.clientId)) continue;
    told.add(slice.clientId);
    state.notice(
      { ...slice, stream: list.name },
      `Client ${slice.clientId} is no longer listed since ${runDate}: its records end on that date, its history stays`,
    );
  }
}
