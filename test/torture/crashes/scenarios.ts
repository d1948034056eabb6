// Lives through what may happen to a sync from outside, over several run dates, with readers at the views. The end of
// sessions and servers: the model, and disturbances.test.ts.
import type { Copies } from '../copies.ts';
import { randomOf } from '../random.ts';
import { startReaders } from './readers.ts';
import { createStation, type Station } from './station.ts';

interface Scenario {
  readonly name: string;
  /** @returns what went wrong */
  run(station: Station, random: () => number): Promise<string[]>;
}

interface CrashResult {
  readonly name: string;
  readonly wrong: readonly string[];
  /** Answers that the readers looked at. */
  readonly looks: number;
}

const days = [1, 2, 3];

async function overDays(
  station: Station,
  live: (day: number) => Promise<string | undefined>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const day of days) {
    station.server.day = day;
    const said = await live(day);
    if (said !== undefined) wrong.push(`day ${day}: ${said}`);
    const differences = await station.differences();
    wrong.push(...differences.map((difference) => `day ${day}: ${difference}`));
  }
  return wrong;
}

const killed: Scenario = {
  name: 'SIGKILL of the process',
  run: (station, random) =>
    overDays(station, async () => {
      for (let kills = 0; kills < 3; kills += 1) {
        const killAt = station.server.log.length + 1 + Math.floor(random() * 35);
        const delayMs = random() * 60;
        const run = station.sync();
        station.server.heard = (count) => {
          if (count === killAt) setTimeout(() => run.child.kill('SIGKILL'), delayMs);
        };
        await run.ended;
        station.server.heard = undefined;
      }
      return await station.syncToTheEnd();
    }),
};

const twice: Scenario = {
  name: 'two syncs at once',
  run: (station) =>
    overDays(station, async () => {
      const both = await Promise.all([station.sync().ended, station.sync().ended]);
      const failed = both.find(({ code }) => code !== 0);
      return failed && `exit ${failed.code}: ${(failed.stderr + failed.stdout).slice(-300)}`;
    }),
};

const midnight: Scenario = {
  name: 'midnight between',
  run: (station, random) =>
    overDays(station, async (day) => {
      // The evening before: its walk is cut, and its pages are of another day.
      if (day === 1) return await station.syncToTheEnd();
      station.server.day = day - 1;
      const killAt = station.server.log.length + 3 + Math.floor(random() * 30);
      const evening = station.sync(['--again']);
      station.server.heard = (count) => {
        if (count === killAt) evening.child.kill('SIGKILL');
      };
      await evening.ended;
      station.server.heard = undefined;
      station.server.day = day;
      return await station.syncToTheEnd();
    }),
};

export async function runCrashes(
  copies: Copies,
  options: { readonly seed: number; readonly only: RegExp },
  progress: (line: string) => void,
): Promise<CrashResult[]> {
  const chosen = [killed, twice, midnight].filter(({ name }) => options.only.test(`crash ${name}`));
  const results: CrashResult[] = [];
  for (const [index, scenario] of chosen.entries()) {
    const copy = await copies.clone(copies.empty);
    const station = await createStation(copy.url);
    const readers = startReaders(copy.url);
    const wrong = await scenario.run(station, randomOf(options.seed + index));
    const read = await readers.stop();
    await station.close();
    await copy.drop();
    results.push({ name: scenario.name, wrong: [...wrong, ...read.wrong], looks: read.looks });
    progress(`crash ${scenario.name}: ${wrong.length + read.wrong.length} wrong, ${read.looks} looks`);
  }
  return results;
}
