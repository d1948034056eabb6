// The baseline: every page of every slice in catalog order, as fast as it goes, until the server refuses;
// the next day from the beginning.
import { selectScopes } from '../../../src/sync/plan/selected-scopes.ts';
import { randomOf } from '../../torture/random.ts';
import { createWorld, streams } from './world.ts';
import { createCounter } from './year.ts';

interface NaiveDay {
  /** Requests that everything would have taken. */
  readonly wanted: number;
  readonly sent: number;
  readonly refused: number;
  readonly ages: readonly number[];
}

const dayMs = 86_400_000;

export function simulateNaive(options: {
  readonly clients: number;
  readonly days: number;
  readonly perMinute: number;
  readonly perDay: number;
}): NaiveDay[] {
  const { clients, perMinute, perDay } = options;
  const random = randomOf(clients);
  const world = createWorld(clients, random);
  const server = createCounter(perMinute, perDay);
  const clientIds = Array.from({ length: clients }, (_, index) => String(index + 1));
  const clientsStream = streams.find((stream) => stream.name === 'clientes');
  const scopes = selectScopes({ streams, clientsStream, clientIds: undefined }, 'default', clientIds);
  const last = new Map<number, number>();
  const days: NaiveDay[] = [];
  for (let day = 0; day < options.days; day += 1) {
    let nowMs = Date.UTC(2026, 0, 1, 3, 15, 0) + day * dayMs;
    const before = server.refused();
    let wanted = 0;
    let sent = 0;
    let closed = false;
    for (const [index, { scope, stream }] of scopes.entries()) {
      const slot = world.slot(stream, scope.clientId);
      const pages = world.pages(slot, day);
      wanted += pages;
      for (let page = 1; page <= pages && !closed; ) {
        nowMs += 60 + random() * 440;
        sent += 1;
        if (server.arrive(nowMs)) page += 1;
        else if (sent - (server.refused() - before) >= perDay) closed = true;
        else nowMs = (Math.floor(nowMs / 60_000) + 1) * 60_000;
      }
      if (closed) continue;
      last.set(index, day);
      world.publish(slot, day, pages);
    }
    const ages = scopes.map((_, index) => day - (last.get(index) ?? -1));
    days.push({ wanted, sent, refused: server.refused() - before, ages });
  }
  return days;
}
