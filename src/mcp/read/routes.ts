// Records of a route on a run date: the typed columns of schema api, in the API's own names.
import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import { nearestName } from '../../config/nearest-name.ts';
import { readColumns } from '../../export/view-columns.ts';
import type { Stream } from '../../streams/stream.ts';
import { quoted, ToolError } from '../form/answer.ts';
import { type Whose, whoseCondition } from './clients.ts';
import { readTexts, type Source } from './page.ts';

/** @throws ToolError where there is no such route */
export function findRoute(streams: readonly Stream[], given: string): Stream {
  const found = streams.find(({ route, name }) => route === given || name === given);
  if (found !== undefined) return found;
  const routes = streams.map(({ route }) => route);
  const near = nearestName(given, routes);
  throw new ToolError(
    'unknown_view',
    `There is no route ${quoted(given)}.`,
    `${near === undefined ? '' : `Did you mean ${near}? `}There are: ${routes.join(', ')}.`,
  );
}

interface Published {
  readonly runDate: string;
  readonly source: Source;
}

/**
 * @param date undefined: the newest run date of the scope
 * @throws ToolError where nothing of the route is published for the scope on that date
 */
export async function routeSource(
  client: pg.ClientBase,
  stream: Stream,
  whose: Whose,
  date: string | undefined,
): Promise<Published> {
  const columns = await readColumns(client as pg.PoolClient, 'api', `${stream.name}_daily`);
  if (columns.length === 0) throw nothing(stream, 'no sync has read it yet', 'airank sync reads it.');
  const runDate = await readRunDate(client, stream, whose, date);
  const values: unknown[] = [runDate];
  const owner = ownerCondition(whose, (value) => `$${values.push(value)}`);
  return {
    runDate,
    source: {
      text:
        `select x.*, 0 as "(place)" from api.${escapeIdentifier(`${stream.name}_daily`)} as x ` +
        `where x.run_date = $1::date${owner === undefined ? '' : ` and ${owner}`}`,
      values,
      columns: columns.map(({ name }) => name),
      identity: ['account', 'client_id', 'record_key'],
    },
  };
}

/** The views of api have no client_key. */
function ownerCondition(whose: Whose, add: (value: unknown) => string): string | undefined {
  return whoseCondition(whose, add)?.replace('x.client_key', "x.account || '/' || x.client_id");
}

async function readRunDate(
  client: pg.ClientBase,
  stream: Stream,
  whose: Whose,
  date: string | undefined,
): Promise<string> {
  const values: unknown[] = [stream.name];
  const add = (value: unknown) => `$${values.push(value)}`;
  const owner = whoseCondition(whose, add);
  const { rows } = await readTexts(
    client,
    `select x.run_date, count(*) filter (where x.is_complete) > 0, bool_or(x.status = 'unavailable')
from bi_history.freshness as x where x.stream = $1${owner === undefined ? '' : ` and ${owner}`}
group by x.run_date order by ${date === undefined ? 'x.run_date desc' : `abs(x.run_date - ${add(date)}::date), x.run_date`} limit 30`,
    values,
  );
  const complete = rows.flatMap(([day, isComplete]) => (isComplete === 't' && day !== null ? [day] : []));
  const [nearest] = complete;
  if (nearest !== undefined && (date === undefined || nearest === date)) return nearest;
  if (rows.some(([, , isUnavailable]) => isUnavailable === 't') && complete.length === 0) {
    throw new ToolError(
      'not_available',
      `The API does not have ${stream.route} for this account or client.`,
      'Read another route; freshness lists those with data.',
    );
  }
  if (nearest !== undefined) {
    throw nothing(stream, `nothing was published on ${date}`, `The nearest run date is ${nearest}.`);
  }
  throw whose.one !== undefined && whose.one.clientId !== '' && !stream.perClient
    ? nothing(stream, 'it is read for the account and not for clients', 'Leave out client.')
    : nothing(stream, 'nothing is published yet', 'freshness says why.');
}

function nothing({ route }: Stream, why: string, fix: string): ToolError {
  return new ToolError('no_data', `There is no data of ${route}: ${why}.`, fix);
}
