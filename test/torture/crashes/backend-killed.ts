// One session of the server is killed, as the out-of-memory killer does it, between the commit of a plan and the next
// write to the disk by itself: the server ends all sessions, and what was not written is gone. The run goes on and ends
// with every slice right.
import type pg from 'pg';
import { createWorkplace, settingsFor } from '../../support/awkward-cli.ts';
import { type Asked, startAwkwardServer } from '../../support/awkward-server.ts';
import { differences, truthOf } from '../../support/awkward-truth.ts';
import { startRestartablePostgres } from '../../support/restartable-postgres.ts';
import { createCopies } from '../copies.ts';
import { pause } from './readers.ts';

/** The first request of a phase: its slices were planned just before. */
const phases: Readonly<Record<string, (asked: Asked) => boolean>> = {
  lists: () => true,
  clients: ({ clientId }) => clientId !== '',
  details: ({ route, value }) => route === 'agent/runs' && value !== '',
};
const delaysMs = [0, 40, 120, 200];
/** One of each kind of route; the others would only take time. */
const streams = ['clientes', 'airank', 'products', 'agent_runs', 'agent_run_traces'];

/** @returns what is wrong, by moment */
export async function killBackends(
  times: number,
  progress: (line: string) => void,
): Promise<readonly string[]> {
  const server = await startAwkwardServer();
  const postgres = await startRestartablePostgres();
  const wrong: string[] = [];
  try {
    const copies = await createCopies(postgres.url);
    server.day = 1;
    for (const [phase, isFirst] of Object.entries(phases)) {
      for (const delayMs of delaysMs) {
        const before = wrong.length;
        for (let nth = 1; nth <= times; nth += 1) {
          const found = await killOnce(isFirst, delayMs);
          if (found !== undefined) wrong.push(`${phase}, ${delayMs} ms, time ${nth}: ${found}`);
        }
        progress(
          `backend killed, ${phase} planned, ${delayMs} ms on: ${wrong.length - before} wrong of ${times}`,
        );
      }
    }

    async function killOnce(
      isFirst: (asked: Asked) => boolean,
      delayMs: number,
    ): Promise<string | undefined> {
      const copy = await copies.clone(copies.empty);
      // Nothing is written that no commit waits for.
      await copy.pool.query('alter system set wal_writer_delay = 10000');
      await copy.pool.query(`alter database ${copy.name} set synchronous_commit = off`);
      await copy.pool.query('select pg_reload_conf()');
      await copy.pool.query('checkpoint');
      const place = await createWorkplace(settingsFor(server, copy.url));
      let killed: Promise<unknown> | undefined;
      server.fault = (asked) => {
        if (isFirst(asked)) killed ??= pause(delayMs).then(() => killOne(copy.pool));
        return undefined;
      };
      try {
        const ended = await place.run([
          'sync',
          '--run-date',
          '2025-03-01',
          '--streams',
          streams.join(','),
          '--json',
        ]);
        await killed;
        if (killed === undefined) return 'its moment never came';
        if (ended.code !== 0) return `exit ${ended.code}: ${ended.stdout}${ended.stderr}`;
        const unlike = await differences(
          copy.pool,
          truthOf(1).filter(({ stream }) => streams.includes(stream)),
        );
        return unlike.length === 0 ? undefined : JSON.stringify(unlike.slice(0, 3));
      } finally {
        server.fault = undefined;
        await place.remove();
        await copy.drop();
      }
    }
  } finally {
    await server.close();
    await postgres.close();
  }
  return wrong;
}

/** As the out-of-memory killer does it: the server ends every session, and recovers. Resolves when it is back. */
export async function killOne(pool: pg.Pool): Promise<void> {
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
