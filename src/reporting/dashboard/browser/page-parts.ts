// What stands below the charts: what is not here, and why.

import type { Chart } from '../charts/chart.ts';
import { fill } from '../charts/format.ts';
import { valueWords } from '../charts/tell.ts';
import { narrow } from '../page/narrow.ts';
import type { PageData } from '../page/page-data.ts';
import { element } from './element.ts';
import type { View } from './view.ts';

/** One line: what this account has nothing of, and why. */
export function notHereLine(charts: readonly Chart[], data: PageData, view: View): HTMLElement | undefined {
  const { language, period, say } = view;
  const said = charts.flatMap((chart) => {
    const own = data.charts[chart.name];
    if (
      own === undefined ||
      own.state === 'failed' ||
      chart.isOpened ||
      chart.rowsOf !== undefined ||
      narrow(chart, own, period).length > 0
    )
      return [];
    const why =
      own.rows.length > 0
        ? say('No data in this period')
        : own.state === 'not_given' || own.state === 'not_mapped' || own.state === 'of_account'
          ? fill(valueWords[own.state], language)
          : say('No data');
    const where = own.state === 'not_mapped' ? `; airank map ${own.missing[0] ?? ''}` : '';
    return [`${fill(chart.label, language)} (${why.toLowerCase()}${where})`];
  });
  return said.length === 0
    ? undefined
    : element('footer', { 'data-part': 'not-here' }, `${say('Not here')}: ${said.join(', ')}.`);
}
