// Which pages and charts a scope has: what belongs to the account never stands in a client's page.
import type { Chart, PageName } from '../charts/chart.ts';
import { pageNames } from '../charts/chart.ts';
import type { PageScope } from './page-data.ts';

/** The account itself has the charts of a client too, for what is measured of it. */
export function chartsOf(charts: readonly Chart[], page: PageName, isAccount: boolean): readonly Chart[] {
  return charts.filter((chart) => chart.page === page && (isAccount || chart.scope === 'client'));
}

export function shownPages(charts: readonly Chart[], isAccount: boolean): readonly PageName[] {
  return pageNames.filter((page) => chartsOf(charts, page, isAccount).length > 0);
}

/** A page of the account itself, which reads as if it were of all of its clients. The portfolio is. */
export function hasClientsElsewhere(
  page: PageName,
  scope: Pick<PageScope, 'account' | 'clientId'>,
  all: readonly Pick<PageScope, 'account' | 'clientId'>[],
): boolean {
  const hasClients = all.some((one) => one.account === scope.account && one.clientId !== '');
  return scope.clientId === '' && page !== 'portfolio' && hasClients;
}
