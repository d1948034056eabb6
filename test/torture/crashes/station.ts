// A place where the real command line runs against a healthy server, while everything else goes wrong.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { createWorkplace, type RunningCli, settingsFor } from '../../support/awkward-cli.ts';
import { type HostileServer, startHostileServer, tortureKey } from '../hostile-server.ts';
import { clientIds } from '../kinds.ts';
import { lacking, look, same, sorted } from '../look.ts';
import { dateOf, publicIds, questions } from '../world.ts';

export interface Station {
  readonly server: HostileServer;
  /** Starts `airank sync` of the server's day. */
  sync(more?: readonly string[]): RunningCli;
  /** Syncs until one ends with 0. @returns what a run said that did not */
  syncToTheEnd(most?: number): Promise<string | undefined>;
  /** Lists where the warehouse differs from what the server's day holds. */
  differences(): Promise<string[]>;
  close(): Promise<void>;
}

const accountStreams = [
  'sources',
  'prediccion',
  'respuestas',
  'competitors',
  'clientes',
  'agent_runs',
  'agent_run_traces',
];
const clientStreams = ['products', 'visibility_history'];
const walkedStreams = [...accountStreams, ...clientStreams];

/** @param databaseUrl of a database with the schema, or by way of a proxy */
export async function createStation(databaseUrl: string): Promise<Station> {
  const server = await startHostileServer();
  const place = await createWorkplace(settingsFor({ url: server.url, key: tortureKey }, databaseUrl));
  await writeFile(
    join(place.folder, 'airank.config.yaml'),
    JSON.stringify({ questions, public_ids: publicIds }),
  );
  const sync = (more: readonly string[] = []) =>
    place.start(['sync', '--run-date', dateOf(server.day), '--streams', walkedStreams.join(), ...more]);
  return {
    server,
    sync,
    syncToTheEnd: async (most = 5) => {
      let last: string | undefined;
      for (let tries = 0; tries < most; tries += 1) {
        const ended = await sync().ended;
        if (ended.code === 0) return undefined;
        last = `exit ${ended.code}: ${(ended.stderr + ended.stdout).slice(-300)}`;
      }
      return last;
    },
    differences: async () => {
      const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
      pool.on('error', () => undefined);
      try {
        return await differencesOf(pool, server);
      } finally {
        await pool.end();
      }
    },
    close: async () => {
      await server.close();
      await place.remove();
    },
  };
}

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
