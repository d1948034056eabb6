// Sources of the pages, for the file, the live server and the job.

import { runDateIn } from '../../../core/run-date.ts';
import { createDatabase, type Executor } from '../../../db/database.ts';
import { readLostDates } from '../../../status/missing-dates.ts';
import { charts } from '../charts/catalog.ts';
import type { PageSource } from './read-dashboard-page.ts';
import { knownReadiness } from './read-overview.ts';

interface PageSourceInput extends Pick<PageSource, 'pool' | 'onFailure'> {
  /** The warehouse; undefined if there is only a role that reads bi. */
  readonly db: Executor | undefined;
  readonly streams: readonly { readonly name: string; readonly shape: string }[];
  readonly timeZone: string;
}

export function createPageSource({ pool, db, streams, timeZone, onFailure }: PageSourceInput): PageSource {
  const states = streams.filter(({ shape }) => shape === 'state').map(({ name }) => name);
  const missedNights: PageSource['missedNights'] = async ({ account, clientId, from, to }, one) => {
    const today = runDateIn(timeZone, new Date());
    const period = { from, to };
    const [lost] = await readLostDates(createDatabase(one), {
      accounts: [account],
      states,
      today,
      clientId,
      period,
    });
    return lost === undefined ? undefined : { dates: lost.dates, streams: lost.streams };
  };
  const readiness = knownReadiness(db, (error) => onFailure('which views are ready', error));
  return { pool, charts, readiness, missedNights, onFailure };
}
