// One case: a fault on one kind of route, lived through from before it to after it is cleared.
import type { Copies } from './copies.ts';
import { type Came, describe, endsThatFit } from './ends.ts';
import { faults } from './faults/all.ts';
import { startHostileServer } from './hostile-server.ts';
import { type Kind, targetOf, walkedClients, witness } from './kinds.ts';
import { look, same, sorted } from './look.ts';
import { createKeyLife, runOnce } from './run-sync.ts';
import { type End, endsOf, endsOn, type Wanted } from './wanted-types.ts';
import { dateOf, type Fields } from './world.ts';

export interface Case {
  readonly wanted: Wanted;
  readonly kind: Kind;
  readonly lasts: 'once' | 'ever';
  readonly history: 'never' | 'had';
}

export interface CaseResult {
  readonly case: Case;
  /** Outcomes that the table does not allow; none: all is as wanted. */
  readonly wrong: readonly string[];
  /** Log of what happened, run by run. */
  readonly steps: readonly string[];
}

export interface Templates {
  readonly never: string;
  readonly had: string;
}

/** The days before the attack. */
export const daysBefore = 2;
const datesUnderAttack = 3;

export function nameOf({ wanted, kind, lasts, history }: Case): string {
  return `${wanted.fault} / ${kind} / ${lasts === 'once' ? 'once' : 'for ever'} / ${history === 'had' ? 'had data' : 'never had data'}`;
}

export async function runCase(copies: Copies, templates: Templates, one: Case): Promise<CaseResult> {
  const { wanted, kind, lasts, history } = one;
  const target = targetOf(kind);
  const fault = faults[wanted.fault];
  const server = await startHostileServer();
  const copy = await copies.clone(templates[history]);
  const life = createKeyLife(wanted.requests === undefined ? 1_000_000 : 1_500);
  const wrong: string[] = [];
  const steps: string[] = [];
  let day = daysBefore;
  let believed = true;
  let lastEnd: End | undefined;

  const truthNow = () => sorted(server.truth(target.stream, target.client));
  const current = async () => (await look(copy.pool, target.stream, target.client, dateOf(day))).records;

  /** One plain sync; `claims`: what the attack says may be what is seen. */
  const sync = async (label: string, claims: boolean): Promise<Came | undefined> => {
    const before = await current();
    const least = truthNow();
    server.day = day;
    // Between two syncs half an hour passes.
    await copy.pool.query(`update sync.slice set walked_at = walked_at - interval '31 minutes'`);
    const leastToday = fault.world === undefined ? truthNow() : least;
    try {
      const { exit_code } = await runOnce({
        pool: copy.pool,
        url: server.url,
        runDate: dateOf(day),
        streams: [witness, target.stream, ...target.beside],
        life,
        clientIds: target.client === '' ? undefined : walkedClients,
        withClients: kind === 'clients',
      });
      const shown = await look(copy.pool, target.stream, target.client, dateOf(day));
      const truth = truthNow();
      const claim = claims
        ? sorted(fault.claim?.(server.truth(target.stream, target.client), { day, kind, target }) ?? [])
        : undefined;
      const came = {
        exit: exit_code,
        shown,
        before,
        truth,
        least: fault.world ? leastOf(server.truth(target.stream, target.client), server.moved()) : leastToday,
        claim,
      };
      steps.push(`${label}: ${describe(came)} [${server.takeRequests()} requests]`);
      return came;
    } catch (error) {
      server.takeRequests();
      const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      steps.push(`${label}: the run threw ${text.slice(0, 200)}`);
      wrong.push(`${label}: the run threw ${text.slice(0, 200)}`);
      return undefined;
    }
  };

  const judge = async (label: string, came: Came | undefined, allowed: readonly End[]): Promise<void> => {
    if (came === undefined) return;
    const fits = endsThatFit(came).filter((end) => allowed.includes(end));
    lastEnd = fits[0];
    believed = lastEnd === undefined || came.shown.status === 'complete';
    if (fits.length === 0) wrong.push(`${label}: wanted ${allowed.join(' or ')}; got ${describe(came)}`);
    if (!wanted.closesKey) wrong.push(...(await besides(label)));
  };

  /** The other slices must not notice. */
  const besides = async (label: string): Promise<string[]> => {
    const others = target.client === '' ? [] : walkedClients.filter((id) => id !== target.client);
    const scopes: [string, string][] = [
      [witness, ''],
      ...others.map((id): [string, string] => [target.stream, id]),
    ];
    const found: string[] = [];
    for (const [stream, client] of scopes) {
      const shown = await look(copy.pool, stream, client, dateOf(day));
      const isRight =
        shown.status === 'complete' && same(shown.records, sorted(server.truth(stream, client)));
      if (!isRight)
        found.push(
          `${label}: ${stream} ${client} beside it is ${shown.status}, ${shown.error.slice(0, 100)}`,
        );
    }
    return found;
  };

  try {
    const value = kind === 'details' ? `run-${10 + 2 * (daysBefore + 1)}` : undefined;
    server.attack({ target, fault, value, lasts });
    for (let nth = 1; nth <= (lasts === 'once' ? 1 : datesUnderAttack); nth += 1) {
      day = daysBefore + nth;
      if (nth > 1) life.nextDay();
      const allowed = lasts === 'once' ? endsOf(wanted.once[history]) : endsOn(wanted[history], nth);
      const label = `date ${nth}`;
      const requestsBefore = server.log.length;
      await judge(label, await sync(label, true), allowed);
      const requests = server.log.length - requestsBefore;
      if (wanted.requests !== undefined && requests > wanted.requests)
        wrong.push(`${label}: ${requests} requests, at most ${wanted.requests}`);
      if (nth === 1 && lasts === 'ever' && !wanted.closesKey) {
        const again = `${label}, again`;
        await judge(again, await sync(again, true), [
          ...allowed,
          ...(lastEnd === undefined ? [] : [lastEnd]),
        ]);
      }
    }
    server.attack(undefined);
    life.nextDay();
    await heal();
  } finally {
    await server.close();
    await copy.drop();
  }
  return { case: one, wrong, steps };

  async function heal(): Promise<void> {
    const isOld = history === 'never' && lastEnd === 'no data';
    const once = lasts === 'once' ? wanted.healsOnce : undefined;
    const by = once ?? wanted.heals ?? (believed || isOld ? 'next' : 'sync');
    const tries = { sync: 1, next: 2, third: 4, week: 9 }[by];
    for (let nth = 1; nth <= tries; nth += 1) {
      if (nth > 1) day += 1;
      const label = nth === 1 ? 'cleared' : `cleared, ${nth - 1} dates on`;
      const came = await sync(label, false);
      const isRight = came !== undefined && endsThatFit(came).includes('truth');
      if (isRight && nth > 1) return;
      if (isRight && by === 'sync') return;
      if (nth === tries && came !== undefined)
        wrong.push(`${label}: wanted truth (${by}); got ${describe(came)}`);
    }
  }
}

/** Without the records that were inserted while the newest walk went on. */
function leastOf(records: readonly Fields[], moved: number): string[] {
  return sorted(records.slice(moved));
}
