// Incidents as they are stored and told: each channel once a day of a cause, and once of its end.
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Secret } from '../../src/config/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createDatabase } from '../../src/db/database.ts';
import { findUnreachable, type Incident } from '../../src/jobs/schedule/incidents.ts';
import { createNotifier, type Notifier } from '../../src/jobs/schedule/notifications.ts';
import { silent } from '../support/config-fixtures.ts';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
let server: LoopbackServer;
/** `channel: state cause`, in the order that the channels took them. */
let told: string[];
let channels: string[];
let tries: number;
/** Undefined: it hangs. */
let answer: (channel: string) => number | undefined;
let lasting: ReadonlyMap<string, number>;
let started: Notifier[];

beforeEach(async () => {
  [told, channels, tries, answer, started] = [[], ['a', 'b'], 0, () => 200, []];
  await database.pool.query('truncate sync.incident, sync.delivery');
  server = await startLoopbackServer(async (request, response) => {
    const channel = request.url?.slice(1) ?? '';
    const { incidents } = (await json(request)) as { incidents: { state: string; cause: string }[] };
    tries += 1;
    const status = answer(channel);
    if (status === undefined) return;
    if (status === 200) told.push(...incidents.map(({ state, cause }) => `${channel}: ${state} ${cause}`));
    response.writeHead(status).end();
  });
});
afterEach(async () => {
  await server.close();
  // What hung is noted as failed now, and not in the tables of the next test.
  await Promise.all(started.map((notifier) => notifier.delivering()));
});

/** As a process would, or the next one after a restart. */
const start = (pool = database.pool): Notifier => {
  const notifier = createNotifier({
    db: createDatabase(pool),
    clock: systemClock,
    logger: silent,
    config: () => ({
      ...{ environment: undefined, webhookValues: false, smtp: undefined },
      webhooks: channels.map((name) => ({ name, url: new Secret(`${server.url}/${name}`), format: 'json' })),
      alerts: { to: [], digest: 'never', rules: {} as never },
    }),
    scrub: (text) => text,
    onIncidents: (kinds) => {
      lasting = kinds;
    },
    onWebhook: () => undefined,
  });
  started.push(notifier);
  return notifier;
};

/** Tells what is stored. */
async function tell(notifier: Notifier): Promise<string[]> {
  notifier.deliver();
  await notifier.delivering();
  return told.splice(0).sort();
}

const pass = (hours: number) => {
  const earlier = (columns: readonly string[]) =>
    columns.map((column) => `${column} = ${column} - $1::float8 * interval '1 hour'`).join();
  return database.rows(
    `with i as (update sync.incident set ${earlier(['since', 'over_at'])})
     update sync.delivery set ${earlier(['told_at', 'told_over_at', 'attempted_at'])}`,
    hours,
  );
};

const found = (causes: readonly string[], kind: Incident['kind'] = 'run_failed') => ({
  checked: () => kind === 'run_failed',
  incidents: causes.map((cause) => ({ cause, kind, account: undefined, message: 'x' })),
});

/** Looks `hours` later, finds these causes and no others, and returns what is told of them. */
async function see(notifier: Notifier, causes: readonly string[], hours = 0, kind?: Incident['kind']) {
  if (hours > 0) await pass(hours);
  notifier.note(found(causes, kind));
  return await tell(notifier);
}

it('tells a cause once a day while it lasts, and its end once', async () => {
  channels = ['a'];
  const one = start();
  expect(await see(one, ['run:a'])).toEqual(['a: open run:a']);
  expect(await see(one, ['run:a', 'run:b'], 5)).toEqual(['a: open run:b']);
  expect(await see(one, ['run:a', 'run:b'], 18)).toEqual([]);
  expect(await see(one, ['run:a', 'run:b'], 1.1)).toEqual(['a: open run:a']);
  expect(lasting).toEqual(new Map([['run_failed', 2]]));
  expect(await see(one, [], 1)).toEqual(['a: over run:a', 'a: over run:b']);
  expect(await see(one, [], 1)).toEqual([]);
  expect(lasting).toEqual(new Map());
});

it('an incident that comes and goes is told once a day as well, also over a restart', async () => {
  channels = ['a'];
  expect(await see(start(), ['run:a'])).toEqual(['a: open run:a']);
  expect(await see(start(), [], 1)).toEqual(['a: over run:a']);
  const next = start();
  expect(await see(next, ['run:a'], 1)).toEqual([]);
  expect(await see(next, [], 1)).toEqual([]);
  expect(await see(next, ['run:a'], 22.1)).toEqual(['a: open run:a']);
});

it('each channel hears what it did not take yet, also over a restart, and the others nothing twice', async () => {
  answer = (channel) => (channel === 'a' ? 200 : 500);
  expect(await see(start(), ['run:x'])).toEqual(['a: open run:x']);
  answer = () => 200;
  const next = start();
  expect(await see(next, ['run:x'])).toEqual([]);
  expect(await see(next, ['run:x'], 0.1)).toEqual(['b: open run:x']);
  expect(await see(next, [], 1)).toEqual(['a: over run:x', 'b: over run:x']);
});

it('what is to be told is stored before it is sent, so a process that dies meanwhile loses nothing', async () => {
  channels = ['a'];
  answer = () => undefined;
  const first = start();
  first.note(found(['run:x']));
  first.deliver();
  await vi.waitFor(() => expect(tries).toBe(1));
  answer = () => 200;
  expect(await tell(start())).toEqual(['a: open run:x']);
});

it('a channel that is new begins with what the others were told', async () => {
  channels = ['a'];
  await see(start(), ['run:x', 'run:y']);
  channels = ['a', 'b'];
  const next = start();
  expect(await see(next, ['run:x', 'run:y'], 1)).toEqual([]);
  expect(await see(next, ['run:x', 'run:z'], 1)).toEqual([
    ...['a: open run:z', 'a: over run:y', 'b: open run:z', 'b: over run:y'],
  ]);
});

it('a channel that hangs holds up no other, and is sent nothing twice', async () => {
  answer = (channel) => (channel === 'a' ? undefined : 200);
  const one = start();
  one.note(found(['run:x']));
  one.deliver();
  await vi.waitFor(() => expect(told.splice(0)).toEqual(['b: open run:x']));
  one.note(found(['run:x', 'run:y']));
  one.deliver();
  await vi.waitFor(() => expect(told.splice(0)).toEqual(['b: open run:y']));
  expect(tries).toBe(3);
});

it('a channel that fails is tried less and less often', async () => {
  channels = ['a'];
  answer = () => 500;
  const one = start();
  for (let look = 0; look < 30; look += 1) await see(one, ['run:x'], 0.035);
  expect(tries).toBe(5);
});

it.each(['drift', 'warning'] as const)(
  '%s is told once while it is seen, and does not last',
  async (kind) => {
    channels = ['a'];
    answer = () => 500;
    expect(await see(start(), ['n:x'], 0, kind)).toEqual([]);
    answer = () => 200;
    expect(await see(start(), ['n:x'], 1, kind)).toEqual(['a: news n:x']);
    expect(lasting).toEqual(new Map());
    for (let day = 0; day < 40; day += 1) expect(await see(start(), ['n:x'], 25, kind)).toEqual([]);
  },
);

it('an incident that was not checked stays as it is', async () => {
  const one = start();
  await see(one, ['run:a']);
  one.note({ checked: (cause) => cause === 'run:other', incidents: [] });
  expect(await tell(one)).toEqual([]);
  expect(lasting).toEqual(new Map([['run_failed', 1]]));
});

it('what is found without the database is stored when it is back; that it is away is told meanwhile, once', async () => {
  let isAway = true;
  const query = database.pool.connect.bind(database.pool);
  const pool = Object.create(database.pool) as typeof database.pool;
  pool.connect = ((...args: []) => {
    if (isAway) throw new Error('away');
    return query(...args);
  }) as typeof database.pool.connect;
  const one = start(pool);
  await expect(one.store(found(['run:lost']))).rejects.toThrow('away');
  expect(await see(one, ['run:x'])).toEqual([]);
  const away = findUnreachable(600_000, 300_000);
  answer = (channel) => (channel === 'a' ? 200 : 500);
  for (let look = 0; look < 3; look += 1) {
    one.tellAway(away);
    await one.delivering();
  }
  expect(told.splice(0)).toEqual(['a: open database']);
  answer = () => 200;
  isAway = false;
  one.note(findUnreachable(undefined, 300_000));
  expect(await tell(one)).toEqual(['a: open run:x', 'a: over database', 'b: open run:x']);
});
