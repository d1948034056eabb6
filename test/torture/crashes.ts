// Lives through what may happen to a sync from outside, over several run dates, with readers at the views: the real command
// line against a healthy server. The end of sessions and servers: the model, and disturbances.test.ts.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { createWorkplace, type RunningCli, settingsFor } from '../support/awkward-cli.ts';
import type { Copies } from './copies.ts';
import { type HostileServer, startHostileServer, tortureKey } from './hostile-server.ts';
import { clientIds } from './kinds.ts';
import { lacking, look, same, sorted } from './look.ts';
import { randomOf } from './random.ts';
import { startReaders } from './readers.ts';
import { dateOf, publicIds, questions } from './world.ts';

interface Station {
  readonly server: HostileServer;
  readonly random: () => number;
  /** Starts `airank sync` of the server's day. */
  sync(more?: readonly string[]): RunningCli;
}

interface CrashResult {
  readonly name: string;
  readonly wrong: readonly string[];
  /** Answers that the readers looked at. */
  readonly looks: number;
}

const accountStreams = [
  ...['sources', 'prediccion', 'respuestas', 'competitors'],
  ...['clientes', 'agent_runs', 'agent_run_traces'],
];
const clientStreams = ['products', 'visibility_history'];
const days = [1, 2, 3];

/** Lives through a day. Returns what went wrong. */
const scenarios: Readonly<Record<string, (station: Station, day: number) => Promise<string | undefined>>> = {
  async 'SIGKILL of the process'(station) {
    for (let kills = 0; kills < 3; kills += 1) await kill(station, station.sync(), 1, 35);
    return await syncToTheEnd(station);
  },
  async 'two syncs at once'({ sync }) {
    const both = await Promise.all([sync().ended, sync().ended]);
    const failed = both.find(({ code }) => code !== 0);
    return failed && `exit ${failed.code}: ${(failed.stderr + failed.stdout).slice(-300)}`;
  },
  async 'midnight between'(station, day) {
    // The evening before: its walk is cut, and its pages are of another day.
    if (day > 1) {
      station.server.day = day - 1;
      await kill(station, station.sync(['--again']), 3, 30);
      station.server.day = day;
    }
    return await syncToTheEnd(station);
  },
};

/** Kills it at one of so many requests, or lets it end before. */
async function kill({ server, random }: Station, run: RunningCli, first: number, most: number) {
  const killAt = server.log.length + first + Math.floor(random() * most);
  const delayMs = random() * 60;
  server.heard = (count) => {
    if (count === killAt) setTimeout(() => run.child.kill('SIGKILL'), delayMs);
  };
  await run.ended;
  server.heard = undefined;
}

/** Syncs until one ends with 0. Returns what a run said that did not. */
async function syncToTheEnd({ sync }: Station): Promise<string | undefined> {
  let last: string | undefined;
  for (let tries = 0; tries < 5; tries += 1) {
    const ended = await sync().ended;
    if (ended.code === 0) return undefined;
    last = `exit ${ended.code}: ${(ended.stderr + ended.stdout).slice(-300)}`;
  }
  return last;
}

/** Lists where the warehouse differs from what the server's day holds. */
async function differencesOf(pool: pg.Pool, server: HostileServer): Promise<string[]> {
  const scopes = [
    ...accountStreams.map((stream) => [stream, ''] as const),
    ...clientStreams.flatMap((stream) => ['', ...clientIds].map((client) => [stream, client] as const)),
  ];
  const found: string[] = [];
  for (const [stream, client] of scopes) {
    const shown = await look(pool, stream, client, dateOf(server.day));
    const truth = sorted(server.truth(stream, client));
    if (shown.status === 'complete' && same(shown.records, truth)) continue;
    found.push(
      `${stream} ${client}: ${shown.status}, ${shown.records.length} records of ${truth.length}, ` +
        `${lacking(truth, shown.records).length} missing, ${lacking(shown.records, truth).length} beside the truth`,
    );
  }
  return found;
}

export async function runCrashes(
  copies: Copies,
  options: { readonly seed: number; readonly only: RegExp },
  progress: (line: string) => void,
): Promise<CrashResult[]> {
  const results: CrashResult[] = [];
  for (const [name, live] of Object.entries(scenarios)) {
    if (!options.only.test(`crash ${name}`)) continue;
    const copy = await copies.clone(copies.empty);
    const server = await startHostileServer();
    const place = await createWorkplace(settingsFor({ url: server.url, key: tortureKey }, copy.url));
    const file = JSON.stringify({ questions, public_ids: publicIds });
    await writeFile(join(place.folder, 'airank.config.yaml'), file);
    const streams = [...accountStreams, ...clientStreams].join();
    const sync = (more: readonly string[] = []) =>
      place.start(['sync', '--run-date', dateOf(server.day), '--streams', streams, ...more]);
    const station = { server, random: randomOf(options.seed + results.length), sync };
    const readers = startReaders(copy.url);
    const wrong: string[] = [];
    for (const day of days) {
      server.day = day;
      const said = await live(station, day);
      const faults = [...(said === undefined ? [] : [said]), ...(await differencesOf(copy.pool, server))];
      wrong.push(...faults.map((fault) => `day ${day}: ${fault}`));
    }
    const read = await readers.stop();
    wrong.push(...read.wrong);
    await server.close();
    await place.remove();
    await copy.drop();
    results.push({ name, wrong, looks: read.looks });
    progress(`crash ${name}: ${wrong.length} wrong, ${read.looks} looks`);
  }
  return results;
}
