// Which pages and charts a scope has: what belongs to the account never stands in a client's page.
import type { Chart, PageName } from '../charts/chart.ts';
import { pageNames } from '../charts/chart.ts';

/** The account itself has the charts of a client too, for what is measured of it. */
export function chartsOf(charts: readonly Chart[], page: PageName, isAccount: boolean): readonly Chart[] {
  return charts.filter((chart) => chart.page === page && (isAccount || chart.scope === 'client'));
}

export function shownPages(charts: readonly Chart[], isAccount: boolean): readonly PageName[] {
  return pageNames.filter((page) => chartsOf(charts, page, isAccount).length > 0);
}
