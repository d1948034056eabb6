// The statement of a chart: a file of sql/dashboard.
import { readStatement, type Statement } from './statement-file.ts';

/** Whose rows, and of which dates (both included). */
export interface ChartScope {
  readonly account: string;
  /** '': the account itself, or all of its clients. */
  readonly clientId: string;
  readonly from: string;
  readonly to: string;
}

/** `:account`, `:client_id`, `:from` and `:to` of the file, numbered as they come. @throws when there is no such file */
export function chartStatement(name: string, scope: ChartScope): Statement {
  const { account, clientId, from, to } = scope;
  return readStatement(`dashboard/${name}`, { account, client_id: clientId, from, to });
}
