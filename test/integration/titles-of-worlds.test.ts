// Titles over a world in which everything is mapped, and over one in which fields are missing, not mapped or not given:
// what they count is counted again from the records themselves.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../src/db/database.ts';
import { charts } from '../../src/reporting/dashboard/charts/catalog.ts';
import type { Chart, ChartData } from '../../src/reporting/dashboard/charts/chart.ts';
import { titleOf } from '../../src/reporting/dashboard/charts/tell.ts';
import { readDashboardPage } from '../../src/reporting/dashboard/read/read-dashboard-page.ts';
import { openReader } from '../../src/reporting/reader/open-reader.ts';
import { readReadiness } from '../../src/status/view-readiness.ts';
import type { TestDatabase } from '../support/test-database.ts';
import { createWorldWarehouse } from '../worlds/serve-world.ts';
import type { World } from '../worlds/table.ts';
import { englishWorld } from '../worlds/worlds.ts';

type Json = Readonly<Record<string, unknown>>;

/** Returns the value at a path, and null where nothing stands there. */
function at(record: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Json | null | undefined)?.[name], record) ?? null;
}

/** Every third domain without a count for rivals; owners of attributes left out; results under a name that says nothing. */
const partlyWorld: World = {
  ...englishWorld,
  name: 'partly known',
  body: (route, query, day) => {
    if (route === 'demand') return undefined;
    const body = englishWorld.body(route, query, day) as Json;
    const changed = (list: string, change: (record: Json, place: number) => Json) => ({
      ...body,
      [list]: (body[list] as readonly Json[]).map(change),
    });
    if (route === 'sources') {
      return changed('dominios', (one, place) =>
        place % 3 === 0 ? { ...one, competitorCitedTimes: null } : one,
      );
    }
    if (route === 'perception') {
      return changed('atributos', (one) => ({ ...one, subject: { name: at(one, 'subject', 'name') } }));
    }
    if (route === 'actions') {
      return changed('acciones', (one) => ({
        ...one,
        attributes: {
          ...(one['attributes'] as Json),
          outcome: null,
          q7: at(one, 'attributes', 'outcome', 'seen'),
        },
      }));
    }
    if (route === 'respuestas') {
      return changed('results', (one, place) => (place % 4 === 0 ? { ...one, brand_seen: null } : one));
    }
    return body;
  },
};

const few = ['clientes', 'sources', 'actions', 'perception', 'respuestas', 'mediciones', 'demand'];
const runDate = '2026-04-20';
const period = { from: '2026-02-20', to: runDate };

describe.each([
  [englishWorld, true],
  [partlyWorld, false],
] as const)('in the world $name', (world, isWhole) => {
  let database: TestDatabase;
  let clientId: string;
  /** By name of the chart, of one client; those of the account itself begin with `account `. */
  const told = new Map<string, ChartData>();

  beforeAll(async () => {
    database = await createWorldWarehouse(world, [runDate], isWhole ? undefined : few);
    const { rows } = await database.pool.query<{ id: string }>(
      `select payload #>> '{relationships,client,data,id}' as id from snapshot.actions group by 1 order by count(*) desc, 1`,
    );
    clientId = rows[0]?.id ?? '';
    const readiness = await readReadiness(createDatabase(database.pool));
    const reader = await openReader({ readerUrl: undefined, warehouse: database.pool });
    const source = {
      pool: reader.pool,
      charts,
      readiness: { now: () => readiness, wait: async () => readiness },
      missedNights: async () => undefined,
      onFailure: (name: string, error: unknown) => {
        throw new Error(name, { cause: error });
      },
    };
    try {
      for (const id of ['', clientId]) {
        for (const page of ['client', 'questions', 'sources', 'business'] as const) {
          const scope = { clientKey: `default/${id}`, account: 'default', clientId: id };
          const { charts: read } = await readDashboardPage(source, {
            page,
            scope,
            period,
            audience: 'agency',
          });
          for (const [name, data] of Object.entries(read))
            told.set(`${id === '' ? 'account ' : ''}${name}`, data);
        }
      }
    } finally {
      await reader.close();
    }
  }, 120_000);

  afterAll(async () => {
    await database.drop();
  });

  async function records(stream: string): Promise<readonly unknown[]> {
    const { rows } = await database.pool.query<{ payload: unknown }>(
      `select payload from snapshot.${stream} where until = 'infinity'`,
    );
    return rows.map(({ payload }) => payload);
  }

  function title(name: string, language: 'en' | 'es' = 'en'): string {
    const chart = charts.find((one) => name.replace('account ', '') === one.name) as Chart;
    const data = told.get(name);
    if (data === undefined || data.rows.length === 0) throw new Error(`${name} has no rows`);
    return titleOf(chart, data, data.rows, { language, period });
  }

  it('domains that cite rivals more often are counted among those of which both counts are there', async () => {
    const counts = (await records('sources')).map((one) => [
      at(one, 'citedTimes'),
      at(one, 'competitorCitedTimes'),
    ]);
    const known = counts.filter((both) => both.every((count) => count !== null));
    const more = known.filter(([own, rivals]) => Number(rivals) > Number(own)).length;
    const left = counts.length - known.length;
    expect([more > 0, left > 0]).toEqual([true, !isWhole]);
    expect(title('account sources')).toBe(
      `${more} of ${known.length} domains cite rivals more often than the brand${left > 0 ? `; ${left} not known` : ''}`,
    );
  });

  it('actions with an observed value are counted, or it is said that nobody knows where it stands', async () => {
    const own = (await records('actions')).filter(
      (one) => at(one, 'relationships', 'client', 'data', 'id') === clientId,
    );
    const seen = own.filter((one) => at(one, 'attributes', 'outcome', 'seen') !== null);
    if (!isWhole) {
      expect(seen).toEqual([]);
      expect(own.some((one) => at(one, 'attributes', 'q7') !== null)).toBe(true);
      expect(title('actions')).toMatch(/; results of actions: not mapped$/);
      expect(title('actions', 'es')).toMatch(/; resultados de acciones: sin asignar$/);
      return;
    }
    const met = seen.filter((one) => {
      const [low] = at(one, 'attributes', 'target', 'range') as readonly number[];
      return Number(at(one, 'attributes', 'outcome', 'seen')) >= Number(low);
    });
    expect(title('actions')).toContain(
      `; ${met.length} of ${seen.length} actions with a result came to what was expected, or above`,
    );
  });

  it('attributes are those of the brand only where it is said whose they are', async () => {
    const own = (await records('perception')).filter((one) => at(one, 'forClient', 'ref') === clientId);
    if (!isWhole) {
      expect(title('perception-attributes')).toBe(
        `Engines name ${own.length} attributes; whose they are: not mapped`,
      );
      return;
    }
    const hits = (isOwn: boolean, valence?: string) =>
      own
        .filter((one) => (at(one, 'subject', 'ours') === 1) === isOwn)
        .filter((one) => valence === undefined || at(one, 'valence') === valence)
        .reduce<number>((sum, one) => sum + Number(at(one, 'hits')), 0);
    const said = [true, false].map((isOwn) => {
      const rate = Math.round((hits(isOwn, 'positive') / hits(isOwn)) * 1_000) / 10;
      return `${rate} % of ${hits(isOwn).toLocaleString('en-GB')} mentions`;
    });
    expect(title('perception-attributes')).toBe(
      `Of the brand, ${said[0]} are positive; of its rivals, ${said[1]}`,
    );
  });

  it('answers with the brand are counted among those that were judged, over all and to each question', async () => {
    const own = (await records('respuestas')).filter((one) => at(one, 'tenant_id') === clientId);
    const known = own.filter((one) => at(one, 'brand_seen') !== null);
    const named = known.filter((one) => at(one, 'brand_seen') === 'Y');
    const rate = Math.round((named.length / known.length) * 1_000) / 10;
    const left = own.length - known.length;
    expect(left > 0).toBe(!isWhole);
    expect(title('mention-rate').endsWith(`; ${left} not known`)).toBe(!isWhole);
    expect(title('questions')).toMatch(new RegExp(`^Named in ${rate} % of ${known.length} answers to `));
    expect(title('questions')).toMatch(
      left > 0 ? `; ${left} not known` : /Named in .* to \d+ questions? from/,
    );
  });

  it('what the API does not have for a client is not given, and what was not read is no data', () => {
    // A claim of the account is of the client whose brand it names.
    expect(told.get('perception-claims')?.state).toBe('ready');
    expect(told.get('experiments')?.state).toBe(isWhole ? 'ready' : 'no_data');
  });
});
