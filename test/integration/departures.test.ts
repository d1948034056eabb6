// A client that leaves is an event of the month: dates, exit codes, and what the morning's message says.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoopbackServer, sendJson, startLoopbackServer } from '../support/loopback-server.ts';
import { eachDatabase } from '../support/test-database.ts';
import { createKeyLife, runOnce } from '../torture/run-sync.ts';

const database = eachDatabase();
let server: LoopbackServer;
let life = createKeyLife(10_000);
/** Clients in the list; undefined: the list is refused. */
let listed: readonly string[] | undefined;
/** In the next answer, once. */
let onceListed: readonly string[] | undefined;
/** Clients whose routes answer. */
let served: readonly string[];

beforeEach(async () => {
  life = createKeyLife(10_000);
  server = await startLoopbackServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
    const client = searchParams.get('cliente');
    const paginacion = { siguiente: null };
    if (pathname.endsWith('/clientes')) {
      const clientes = (onceListed ?? listed)?.map((id) => ({ id, nombre: `Nombre ${id}` }));
      onceListed = undefined;
      return sendJson(response, clientes === undefined ? 403 : 200, { clientes, paginacion });
    }
    if (client !== null && !served.includes(client)) return sendJson(response, 404, { error: 'no existe' });
    sendJson(response, 200, { productos: [{ id: 1, nombre: `de ${client ?? 'la cuenta'}` }], paginacion });
  });
});

afterEach(() => server.close());

const everybody = ['c1', 'c2', 'c3'];

interface Night {
  readonly listed: readonly string[] | undefined;
  readonly served?: readonly string[];
  /** In the first answer of the night. */
  readonly first?: readonly string[];
  readonly acceptVanished?: ReadonlySet<string>;
}

/** What the last night said. */
let warnings: readonly string[];
let failures: readonly { readonly error: string }[];

/** @returns the exit code */
async function night(place: number, now: Night): Promise<number> {
  [listed, onceListed, served] = [now.listed, now.first, now.served ?? now.listed ?? []];
  const runDate = `2025-03-${String(place).padStart(2, '0')}`;
  const streams = ['clientes', 'products'];
  const said = await runOnce({
    ...{ pool: database.pool, url: server.url, runDate, streams, life },
    ...{ clientIds: undefined, withClients: true, acceptVanished: now.acceptVanished },
  });
  warnings = said.warnings.map(({ message }) => message);
  failures = said.failures;
  return said.exit_code;
}

const current = () =>
  database.lines(
    `select client_id from snapshot.record where stream = 'products' and client_id <> '' and until = 'infinity' order by 1`,
  );

describe('of three clients', () => {
  beforeEach(async () => {
    expect(await night(1, { listed: everybody })).toBe(0);
  });

  it('one that leaves fails no night: its routes answer 404, and it ends on the second date', async () => {
    const rest = ['c1', 'c3'];
    expect(await night(2, { listed: rest })).toBe(0);
    expect(warnings).toEqual([
      expect.stringMatching(/^Client c2 is not in the list of 2025-03-02: its records end if/),
    ]);
    expect(await current()).toEqual(everybody);
    expect(await night(3, { listed: rest })).toBe(0);
    expect(warnings).toEqual([expect.stringMatching(/^Client c2 is no longer listed since 2025-03-03/)]);
    expect(await current()).toEqual(rest);
    expect(await night(4, { listed: rest })).toBe(0);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['that one false answer of the second date lacks', { served: everybody, first: ['c1'] }],
    ['that comes back the next date', {}],
  ])('one %s has lost nothing', async (_, third) => {
    expect(await night(2, { listed: ['c1', 'c3'], served: everybody })).toBe(0);
    expect(await night(3, { listed: everybody, ...third })).toBe(0);
    expect(await current()).toEqual(everybody);
  });

  it.each(['c2\u00a0', 'c\u200b2', '\u{ff43}2'])(
    'one that comes under another spelling, %j, is refused on its first date, and merged with nothing',
    async (spelled) => {
      expect(await night(2, { listed: ['c1', spelled, 'c3'], served: everybody })).toBe(1);
      expect(await current()).toEqual(everybody);
    },
  );

  it('one that is listed and answers 404 is a failure', async () => {
    expect(await night(2, { listed: everybody, served: ['c1', 'c3'] })).toBe(1);
  });

  it('all leave when the lists of two dates are empty', async () => {
    expect(await night(2, { listed: [] })).toBe(0);
    expect(warnings).toEqual([
      expect.stringMatching(/^Clients c1, c2, c3 are not in the list of 2025-03-02/),
    ]);
    expect(await current()).toEqual(everybody);
    expect(await night(3, { listed: [] })).toBe(0);
    expect(await current()).toEqual([]);
    expect(await night(4, { listed: [] })).toBe(0);
    expect(warnings).toEqual([]);
  });

  it('all stay, and each night fails, while the list is refused: the key may have lost its agency', async () => {
    for (const place of [2, 3, 4, 5])
      expect(await night(place, { listed: undefined, served: everybody }), `night ${place}`).toBe(1);
    expect(await current()).toEqual(everybody);
  });

  it('all end when somebody says that the list is gone, and the key counts as one without clients', async () => {
    expect(await night(2, { listed: undefined, served: [] })).toBe(1);
    expect(failures.map(({ error }) => error)).toContainEqual(
      expect.stringMatching(/sync --accept-vanished clientes --accounts \w+$/),
    );
    expect(await night(2, { listed: undefined, acceptVanished: new Set(['clientes']) })).toBe(0);
    expect(warnings).toContainEqual(expect.stringMatching(/^The list of clients is gone/));
    expect(await current()).toEqual([]);
    for (const place of [3, 4]) expect(await night(place, { listed: undefined })).toBe(0);
    expect(await night(5, { listed: ['c2'] })).toBe(0);
    expect(await current()).toEqual(['c2']);
  });
});

it('a key that never had clients fails no night', async () => {
  for (const place of [1, 2, 3]) expect(await night(place, { listed: undefined })).toBe(0);
});
