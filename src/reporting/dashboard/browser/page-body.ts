// A page below the header: its charts, or why there are none.
import { charts } from '../charts/catalog.ts';
import type { PageName } from '../charts/chart.ts';
import { changeDays, spanOf } from '../page/chosen-period.ts';
import type { PageData } from '../page/page-data.ts';
import { chartsOf, hasClientsElsewhere } from '../page/shown-pages.ts';
import { chartFigure, type ShownFigure } from './chart-figure.ts';
import { type Unreadable, UnreadableError } from './data-source.ts';
import { element } from './element.ts';
import { freshnessStrip } from './freshness-strip.ts';
import type { View } from './view.ts';

export interface ShownPage {
  readonly state: 'ready' | 'no_client' | Unreadable;
  readonly nodes: readonly Node[];
  close(): void;
}

/** Never rejects: what goes wrong is said on the page. */
export async function pageBody(page: PageName, view: View): Promise<ShownPage> {
  let data: PageData;
  try {
    data = await view.source.page(page, view.scope.clientKey, spanOf(view.period, view.beside));
  } catch (error) {
    const state = error instanceof UnreadableError ? error.why : 'failed';
    return { state, nodes: [failure(error, state, view)], close: () => undefined };
  }
  const days = changeDays(view.period, view.state.compare);
  // A file may be asked for dates that end before its own: of these nothing is known.
  const isSameEnd = data.period.to === view.period.to;
  const changes = isSameEnd ? data.changes.filter((one) => one.days === days) : [];
  const shown: readonly ShownFigure[] = chartsOf(charts, page, view.scope.clientId === '').flatMap(
    (chart) => {
      const one = data.charts[chart.name];
      return one === undefined ? [] : [chartFigure(chart, one, { markers: data.markers, changes }, view)];
    },
  );
  return {
    state: 'ready',
    nodes: [
      freshnessStrip(data.freshness, view),
      ...(hasClientsElsewhere(page, view.scope, view.overview.scopes) ? [accountNotice(view)] : []),
      ...shown.map(({ figure }) => figure),
    ],
    close: () => {
      for (const { close } of shown) close();
    },
  };
}

function accountNotice({ say }: View): HTMLElement {
  return element('p', { class: 'notice', 'data-part': 'of-account' }, say('ofAccount'));
}

/** Instead of a page: the header offers the clients that there are. */
export function noSuchClient({ say }: View): ShownPage {
  const notice = element(
    'p',
    { class: 'notice bad', role: 'alert', 'data-state': 'no_client' },
    say('noSuchClient'),
  );
  return { state: 'no_client', nodes: [notice], close: () => undefined };
}

function failure(error: unknown, why: Unreadable, { say }: View): HTMLElement {
  const text =
    why === 'not_here'
      ? say('notHere')
      : why === 'no_link'
        ? say('noLink')
        : `${say('pageFailed')}${error instanceof Error && error.message !== '' ? `: ${error.message}` : ''}`;
  return element('p', { class: 'notice bad', role: 'alert', 'data-state': why }, text);
}
