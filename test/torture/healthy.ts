// Measures what validation costs where nothing is wrong: the requests of 30 run dates on a healthy server, beside the
// pages that there are.
import type { Copies } from './copies.ts';
import { startHostileServer } from './hostile-server.ts';
import { clientIds, walkedClients } from './kinds.ts';
import { createKeyLife, runOnce } from './run-sync.ts';
import { dateOf, recordsOf, valuesOf } from './world.ts';

interface HealthyCost {
  readonly requests: number;
  /** Pages, bodies and traces that a walk without any second look asks for. */
  readonly needed: number;
  /** Pages of second walks: of lists of several pages that lost a record since the date before. */
  readonly confirming: number;
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
  let confirming = 0;
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
      confirming += confirmingOn(day);
    }
    return { requests: server.log.length, needed, confirming, wrong };
  } finally {
    await server.close();
    await copy.drop();
  }
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
const pagesOf = (stream: string, client: string, day: number) =>
  Math.ceil(recordsOf(stream, client, day).length / 200);

function confirmingOn(day: number): number {
  const scopes = [
    ...lists.map((stream) => [stream, ''] as const),
    ...walkedClients.flatMap((client) => clientLists.map((stream) => [stream, client] as const)),
  ];
  return sum(
    scopes.map(([stream, client]) => {
      const pages = pagesOf(stream, client, day);
      if (day === 1 || pages === 1) return 0;
      const now = new Set(recordsOf(stream, client, day).map(({ id }) => id));
      return recordsOf(stream, client, day - 1).some(({ id }) => !now.has(id)) ? pages : 0;
    }),
  );
}

function neededOn(day: number): number {
  // Two runs begin on each date, and the one before the newest ends.
  const traces = day === 1 ? valuesOf('agent_run_traces', 1).length : 3;
  return (
    bodies.length +
    sum(lists.map((stream) => pagesOf(stream, '', day))) +
    sum(values.map((stream) => valuesOf(stream, day).length)) +
    // The history as CSV, and the clients.
    1 +
    Math.ceil(clientIds.length / 200) +
    traces +
    walkedClients.length +
    sum(walkedClients.flatMap((client) => clientLists.map((stream) => pagesOf(stream, client, day))))
  );
}
