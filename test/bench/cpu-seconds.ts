// CPU seconds of a process, and of a Postgres server with all its backends, as the kernel counts them.
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** Ticks a second of /proc/<pid>/stat: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

interface Stat {
  readonly parent: number;
  readonly ownSeconds: number;
  /** CPU seconds of children that ended and were waited for. */
  readonly endedChildrenSeconds: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may hold spaces and brackets.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = [1, 11, 12, 13, 14].map(
      (index) => fields[index],
    );
    return {
      parent,
      ownSeconds: (user + system) / ticksPerSecond,
      endedChildrenSeconds: (childUser + childSystem) / ticksPerSecond,
    };
  } catch {
    return undefined;
  }
}

/** 0 where there is no /proc, or no such process. */
export function cpuSecondsOf(pid: number): number {
  return statOf(pid)?.ownSeconds ?? 0;
}

/** Sums the CPU seconds of the server behind a pool, which runs on this machine, with backends that ended. */
export async function serverCpuSeconds(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const server = statOf(rows[0]?.pid ?? 0)?.parent;
  const own = server === undefined ? undefined : statOf(server);
  if (own === undefined) return 0;
  return processes()
    .map(statOf)
    .filter((stat) => stat?.parent === server)
    .reduce((sum, stat) => sum + (stat?.ownSeconds ?? 0), own.ownSeconds + own.endedChildrenSeconds);
}

function processes(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}
