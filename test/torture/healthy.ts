// What disbelief costs where there is nothing to disbelieve: the requests of 30 run dates on a healthy server,
// beside the pages that there are.
import type { Copies } from './copies.ts';
import { startHostileServer } from './hostile-server.ts';
import { clientIds, walkedClients } from './kinds.ts';
import { createKeyLife, runOnce } from './run-sync.ts';
import { dateOf, recordsOf, valuesOf } from './world.ts';

export interface HealthyCost {
  readonly requests: number;
  /** Pages, bodies and traces that a walk without any second look asks for. */
  readonly needed: number;
  readonly wrong: readonly string[];
}

const bodies = ['prediccion', 'agent_os', 'prompt_research', 'surfaces'];
const lists = ['sources', 'respuestas', 'competitors', 'demand', 'benchmark', 'agent_runs'];
const values = ['ask', 'airank_public'];
const clientLists = ['products', 'visibility_history'];

export async function measureHealthy(copies: Copies, dates: number): Promise<HealthyCost> {
  const server = await startHostileServer();
  const copy = await copies.clone(copies.empty);
  const life = createKeyLife(1_000_000);
  const wrong: string[] = [];
  let needed = 0;
  try {
    for (let day = 1; day <= dates; day += 1) {
      server.day = day;
      const request = { pool: copy.pool, url: server.url, runDate: dateOf(day), life };
      const streams = [...bodies, ...lists, ...values, 'airank_history', 'clientes', 'agent_run_traces'];
      const account = await runOnce({ ...request, streams });
      const clients = await runOnce({
        ...request,
        streams: ['airank', ...clientLists],
        clientIds: walkedClients,
      });
      for (const { exit_code, failures } of [account, clients])
        if (exit_code !== 0)
          wrong.push(`day ${day}: exit ${exit_code} ${JSON.stringify(failures).slice(0, 200)}`);
      needed += neededOn(day);
    }
    return { requests: server.log.length, needed, wrong };
  } finally {
    await server.close();
    await copy.drop();
  }
}

function neededOn(day: number): number {
  const pagesOf = (stream: string, client: string) => Math.ceil(recordsOf(stream, client, day).length / 200);
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  // Two runs begin on each date, and the one before the newest ends.
  const traces = day === 1 ? valuesOf('agent_run_traces', 1).length : 3;
  return (
    bodies.length +
    sum(lists.map((stream) => pagesOf(stream, ''))) +
    sum(values.map((stream) => valuesOf(stream, day).length)) +
    // The history as CSV, and the clients.
    1 +
    Math.ceil(clientIds.length / 200) +
    traces +
    walkedClients.length +
    sum(walkedClients.flatMap((client) => clientLists.map((stream) => pagesOf(stream, client))))
  );
}
