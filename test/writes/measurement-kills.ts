// Calls for measurements that are killed at moments drawn from a seed. Some are made again, as by somebody who saw nothing
// come of them: what may have arrived is held back and named, and what was never sent is named and sent.
import type pg from 'pg';
import { randomOf } from '../torture/random.ts';
import { type AirankChild, type Said, startAirank, textOf } from './airank-child.ts';
import { type BookedCall, judgeMeasurements, readCalls } from './judge-measurements.ts';
import { killAtMoment, type Moments, noteMoment } from './kill-at-moment.ts';
import { type KillWorld, type KillWorldOptions, makeKillWorld } from './kill-world.ts';

interface MeasurementHistory {
  readonly wrong: readonly string[];
  readonly moments: Moments;
  readonly requests: number;
  readonly received: number;
  readonly accepted: number;
  /** Calls of unknown outcome, before somebody decided. */
  readonly unknown: number;
  readonly unknownArrived: number;
  /** Calls that were not sent, because the outcome of the one before is unknown. */
  readonly heldBack: number;
  /** Calls that ended before they were sent, and that the next one named. */
  readonly forgotten: number;
}

interface Life {
  readonly world: KillWorld;
  readonly options: KillWorldOptions;
  readonly wrong: string[];
  heldBack: number;
  forgotten: number;
}

export async function liveThroughMeasurementKills(options: KillWorldOptions): Promise<MeasurementHistory> {
  const { pool, kills, onKill } = options;
  const random = randomOf(options.seed);
  const world = await makeKillWorld(options, ['write']);
  const { service } = world;
  const times = { requests: service.requests, mostRequests: 1, book: pool };
  const life: Life = { world, options, wrong: [], heldBack: 0, forgotten: 0 };
  const moments: Moments = {};
  try {
    for (let killed = 0, firm = 1; killed < kills && life.wrong.length === 0; firm += 1) {
      const business = `Firma ${firm}`;
      const said = await killAtMoment(call(life, business), times, random);
      if (said === undefined) {
        killed += 1;
        await world.calm();
        onKill?.(`${killed} killed, ${await noteMoment(pool, moments)}`);
        if (random() < 0.5) await callAgain(life, business);
      } else if (!isFine(life, said)) fail(life, business, said);
    }
    // The next call finds out what the last death left.
    await call(life, 'Firma 0').ended;
    const requests = service.requests();
    const judged = judgeMeasurements(await readCalls(pool), service.came());
    for (const open of judged.unknown.filter(({ isLeft }) => !isLeft)) await decide(life, open);
    const { accepted, received, unknownArrived, unknown } = judged;
    return {
      ...{ wrong: [...life.wrong, ...judged.wrong], moments, requests, received, accepted },
      ...{ unknown: unknown.length, unknownArrived, heldBack: life.heldBack, forgotten: life.forgotten },
    };
  } finally {
    await world.close();
  }
}

function call({ world }: Life, business: string, ...flags: readonly string[]): AirankChild {
  return startAirank(world.environment, ['measure', '--business', business, ...flags]);
}

/** 1: the service failed, so the outcome is unknown. */
function isFine({ options }: Life, said: Said): boolean {
  return said.code === 0 || (options.faults !== undefined && said.code === 1 && isUnknown(said));
}

function isUnknown(said: Said): boolean {
  return /The measurement of .* may have been started/.test(textOf(said));
}

function fail({ wrong }: Life, business: string, said: Said): void {
  wrong.push(`the call for ${business} ended with ${said.code}: ${textOf(said).slice(-2_000)}`);
}

/** Asks again for what was killed. */
async function callAgain(life: Life, business: string): Promise<void> {
  const { service } = life.world;
  const before = await openCall(life.options.pool, business);
  if (before?.status === 'unknown' || before?.status === 'sending') return await expectHeld(life, before);
  const times = service.times(business);
  const said = await call(life, business).ended;
  if (before?.status === 'planned') {
    if (!textOf(said).includes(`The measurement of "${business}" was never sent`)) fail(life, business, said);
    life.forgotten += 1;
  }
  if (!isFine(life, said)) fail(life, business, said);
  if (said.code === 0 && service.times(business) !== times + 1) fail(life, business, said);
}

async function expectHeld(life: Life, { id, business }: BookedCall): Promise<void> {
  const { service } = life.world;
  const requests = service.requests();
  const said = await call(life, business).ended;
  const isNamed = textOf(said).includes(`(write ${id}), so nothing was sent`);
  if (said.code !== 1 || !isNamed || service.requests() !== requests) fail(life, business, said);
  life.heldBack += 1;
}

/** Somebody decides on what is unknown: sent again, or left and another one started. */
async function decide(life: Life, open: BookedCall): Promise<void> {
  const { business, id } = open;
  const { service } = life.world;
  await expectHeld(life, open);
  const times = service.times(business);
  const choice = id % 2 === 0 ? 'resend' : 'skip';
  for (let tries = 1; tries <= 20; tries += 1) {
    const said = await call(life, business, '--unknown', choice).ended;
    if (!isFine(life, said)) fail(life, business, said);
    if (said.code === 0) break;
  }
  const left = await openCall(life.options.pool, business);
  if (left?.status !== 'accepted') life.wrong.push(`${business} is ${left?.status} after ${choice}`);
  const wanted = times + 1;
  const got = service.times(business);
  if (life.options.faults === undefined ? got !== wanted : got < wanted) {
    life.wrong.push(`${choice}: ${business} came ${got} times, expected ${wanted}`);
  }
}

/** The newest that nobody has left. */
async function openCall(pool: pg.Pool, business: string): Promise<BookedCall | undefined> {
  return (await readCalls(pool)).filter((one) => one.business === business && !one.isLeft).at(-1);
}
