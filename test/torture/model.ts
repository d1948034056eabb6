// A model test: random worlds, faults, stops, crashes of Postgres and re-runs. Whatever happens, every published date holds what the
// server said on it: its world, or what a fault claimed in its place; and never a mixture of both.
import fc from 'fast-check';
import type pg from 'pg';
import type { Fault } from './ask.ts';
import type { Copies } from './copies.ts';
import type { FaultName } from './faults/all.ts';
import { faults } from './faults/all.ts';
import { type HostileServer, startHostileServer } from './hostile-server.ts';
import { type Kind, targetOf, walkedClients, witness } from './kinds.ts';
import { same, sorted } from './look.ts';
import { pause } from './readers.ts';
import { createKeyLife, type KeyLife, runOnce } from './run-sync.ts';
import { wanted } from './wanted.ts';
import { endsOf } from './wanted-types.ts';
import { dateOf } from './world.ts';

const kinds: readonly Kind[] = ['state', 'client list', 'client single', 'single', 'archive'];
/** Faults whose claim, where they have one, is exact. */
const chosen: readonly FaultName[] = [
  ...(['empty list', 'half the records', 'one record gone', 'bare array', 'list is a text'] as const),
  ...(['error only', 'Mensaje only', 'empty object', 'no usual field', 'list key missing'] as const),
  ...([
    'answers 404',
    'answers 500',
    'truncated',
    'HTML with 200',
    'shuffled pages',
    'some empty pages',
  ] as const),
  ...(['cursor answers 410', 'ends on a full page', 'a cycle of pages', 'nested 5,000 deep'] as const),
];

/** Attacks that the table names, and whether it lets the claim be believed. */
const attacks = wanted
  .filter(({ fault }) => chosen.includes(fault))
  .flatMap(({ fault, kinds: many, never, had, once }) =>
    many
      .filter((kind) => kinds.includes(kind))
      .map((kind) => ({
        fault,
        kind,
        mayClaim: [...never, ...had, once.never, once.had].some((ends) => endsOf(ends).includes('claim')),
      })),
  );

interface Step {
  /** Days that pass before it; 0: again on the same date. */
  readonly days: number;
  readonly attack: (typeof attacks)[number] | undefined;
  readonly lasts: 'once' | 'ever';
  /** The run is stopped at this request; undefined: it is left alone. */
  readonly stopAt: number | undefined;
  /** The server of the database crashes at this request; undefined: it lives. */
  readonly crashAt: number | undefined;
}

export const steps: fc.Arbitrary<Step[]> = fc
  .array(
    fc.record({
      days: fc.constantFrom(0, 1, 1, 1, 2, 5),
      attack: fc.option(fc.constantFrom(...attacks), { nil: undefined, freq: 3 }),
      lasts: fc.constantFrom('once' as const, 'ever' as const),
      stopAt: fc.option(fc.integer({ min: 1, max: 16 }), { nil: undefined, freq: 4 }),
      crashAt: fc.option(fc.integer({ min: 1, max: 16 }), { nil: undefined, freq: 3 }),
    }),
    { minLength: 3, maxLength: 9 },
  )
  // Changes between two pieces of one walk are read as they came: a part of each.
  .map((list) =>
    list.map((step, index) =>
      step.attack !== undefined && list[index - 1]?.stopAt !== undefined
        ? { ...step, days: Math.max(step.days, 1) }
        : step,
    ),
  );

/** Contents that each date of each slice may hold. */
type Said = Map<string, (readonly string[])[]>;

/** @returns what does not fit; undefined: all does */
async function liveThrough(copies: Copies, walked: readonly Step[]): Promise<string | undefined> {
  const server = await startHostileServer();
  const copy = await copies.clone(copies.empty);
  const said: Said = new Map();
  let day = 1;
  try {
    // A crash takes back what no commit waited for.
    await copy.pool.query(`alter database ${copy.name} set synchronous_commit = off`);
    for (const [index, step] of walked.entries()) {
      const life = createKeyLife(5_000);
      day += index === 0 ? 0 : step.days;
      server.day = day;
      note(said, server, step, day);
      const { attack, lasts } = step;
      server.attack(
        attack && { target: targetOf(attack.kind), fault: faults[attack.fault], value: undefined, lasts },
      );
      await run(copy.pool, server, life, dateOf(day), step);
      const wrong = await mismatch(copy.pool, said);
      if (wrong !== undefined) return `after step ${index + 1} (${JSON.stringify(step)}): ${wrong}`;
    }
    return undefined;
  } finally {
    await server.close();
    await copy.drop();
  }
}

async function run(
  pool: pg.Pool,
  server: HostileServer,
  life: KeyLife,
  runDate: string,
  { stopAt, crashAt }: Step,
): Promise<void> {
  let crash: Promise<void> | undefined;
  const end = new AbortController();
  const from = server.log.length;
  server.heard = (count) => {
    if (count - from === stopAt) end.abort(new Error('stopped'));
    if (count - from === crashAt) crash = killOne(pool);
  };
  const account = [
    witness,
    ...kinds
      .map(targetOf)
      .filter(({ client }) => client === '')
      .map(({ stream }) => stream),
  ];
  const perClient = kinds
    .map(targetOf)
    .filter(({ client }) => client !== '')
    .map(({ stream }) => stream);
  // The clock of a key's life runs ahead while the server recovers.
  const limits = { databasePatienceMs: 86_400_000 };
  const request = { pool, url: server.url, runDate, life, signal: end.signal, limits };
  try {
    await runOnce({ ...request, streams: account });
    if (!end.signal.aborted) await runOnce({ ...request, streams: perClient, clientIds: walkedClients });
  } catch (error) {
    if (!end.signal.aborted) throw error;
  }
  server.heard = undefined;
  await crash;
}

/** As the out-of-memory killer does it: the server ends every session, and recovers. Resolves when it is back. */
async function killOne(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  for (const { pid } of rows) process.kill(pid, 'SIGKILL');
  const isBack = () =>
    pool.query('select').then(
      () => true,
      () => false,
    );
  do await pause(100);
  while (!(await isBack()));
}

function note(said: Said, server: HostileServer, step: Step, day: number): void {
  for (const target of kinds.map(targetOf)) {
    for (const client of target.client === '' ? [''] : walkedClients) {
      const truth = server.truth(target.stream, client);
      const list = listOf(said, target.stream, client, day);
      list.push(sorted(truth));
      const { attack } = step;
      if (attack?.mayClaim !== true || attack.kind !== target.kind || client !== target.client) continue;
      const fault: Fault = faults[attack.fault];
      list.push(sorted(fault.claim?.(truth, { day, kind: target.kind, target }) ?? []));
    }
  }
}

function listOf(said: Said, stream: string, client: string, day: number): (readonly string[])[] {
  const name = JSON.stringify([stream, client, dateOf(day)]);
  const list = said.get(name) ?? [];
  said.set(name, list);
  return list;
}

async function mismatch(pool: pg.Pool, said: Said): Promise<string | undefined> {
  const { rows: slices } = await pool.query<{ stream: string; client_id: string; run_date: string }>(
    `select stream, client_id, run_date::text from sync.slice where completed_at is not null and stream <> $1`,
    [witness],
  );
  for (const { stream, client_id, run_date } of slices) {
    const { rows } = await pool.query<{ payload: unknown }>(
      `select payload from snapshot.record
       where stream = $1 and client_id = $2 and run_date <= $3 and $3 < until`,
      [stream, client_id, run_date],
    );
    const shown = sorted(rows.map(({ payload }) => payload));
    const allowed = said.get(JSON.stringify([stream, client_id, run_date])) ?? [];
    if (!allowed.some((one) => same(one, shown)))
      return `${stream} ${client_id} of ${run_date} holds ${shown.length} records, not what the server said (${allowed.map(({ length }) => length).join(' or ')})`;
  }
  return undefined;
}

/** @returns a history that does not fit; undefined: none was found */
export async function runModel(
  copies: Copies,
  options: { readonly seed: number; readonly histories: number },
  progress: (line: string) => void,
): Promise<string | undefined> {
  let lived = 0;
  const property = fc.asyncProperty(steps, async (walked) => {
    const wrong = await liveThrough(copies, walked);
    lived += 1;
    progress(`model: ${lived} histories${wrong === undefined ? '' : `, WRONG: ${wrong.slice(0, 200)}`}`);
    if (wrong !== undefined) throw new Error(wrong);
  });
  // Not shrunk: that would live through whole histories again and again.
  const details = await fc.check(property, {
    seed: options.seed,
    numRuns: options.histories,
    endOnFailure: true,
  });
  if (!details.failed) return undefined;
  const error = details.errorInstance;
  return `${error instanceof Error ? (error.stack ?? error.message) : String(error)} on ${fc.stringify(details.counterexample)}`;
}
