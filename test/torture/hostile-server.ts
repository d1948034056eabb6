// A sandbox that turns hostile against one slice on demand.
import type { Asked, Told } from '../../src/sandbox/faults.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { type Ask, type Fault, type Hands, json, type Reply, raw } from './ask.ts';
import { type Target, targets } from './kinds.ts';
import { bodyOf, type Fields, recordsOf, valuesOf } from './world.ts';

interface Attack {
  readonly target: Target;
  readonly fault: Fault;
  /** Value under attack, on routes with one request a value; undefined: all of them. */
  readonly value: string | undefined;
  readonly lasts: 'once' | 'ever';
}

export interface HostileServer {
  readonly url: string;
  day: number;
  /** Begins an attack, or ends it. */
  attack(attack: Attack | undefined): void;
  /** Requests for the slice under attack since the last look. */
  takeRequests(): number;
  /** Returns what the world holds of a slice today: records, or bodies. */
  truth(stream: string, client: string): readonly Fields[];
  /** Walks of the slice under attack that changed the world. */
  moved(): number;
  /** Every request, for a look afterwards: `stream client cursor value`. */
  readonly log: string[];
  /** Is told of each request before it is answered. */
  heard: ((count: number) => void) | undefined;
  close(): Promise<void>;
}

const listKeys = new Map<string, string>([
  ['sources', 'dominios'],
  ['agent_runs', 'runs'],
  ...targets.flatMap((target): [string, string][] =>
    target.listKey === undefined ? [] : [[target.stream, target.listKey]],
  ),
]);

export const tortureKey = 'torture-key-123456';

export async function startHostileServer(): Promise<HostileServer> {
  let attack: Attack | undefined;
  let last: Attack | undefined;
  let acted = false;
  let walks = 0;
  let moved = 0;
  let asked = 0;
  const log: string[] = [];

  const recordsToday = (stream: string, client: string, day: number): readonly Fields[] => {
    const records = recordsOf(stream, client, day);
    const isMeant = last?.target.stream === stream && last.target.client === client;
    return isMeant && last?.fault.world !== undefined ? last.fault.world(records, moved) : records;
  };

  const serve = (ask: Ask, day: number): Reply | undefined => {
    const isMeant =
      attack?.target.stream === ask.stream &&
      attack.target.client === ask.client &&
      (attack.value === undefined || attack.value === ask.value);
    if (!isMeant || attack === undefined) return healthy(ask, recordsToday, day);
    asked += 1;
    if (ask.cursor === '') walks += 1;
    const { fault, lasts } = attack;
    const isOver = lasts === 'once' && (fault.reach === 'answer' ? acted : walks > 1);
    if (isOver) return healthy({ ...ask, walk: walks }, recordsToday, day);
    if (fault.movesWorld && ask.cursor === '') moved += 1;
    const reply = fault.answer(
      { ...ask, walk: walks },
      handsOf({ ...ask, walk: walks }, attack.target, recordsToday, day),
    );
    if (reply !== undefined) acted = true;
    return reply ?? healthy(ask, recordsToday, day);
  };

  const state: Pick<HostileServer, 'day' | 'log' | 'heard'> = { day: 1, log, heard: undefined };
  const answer = (asked: Asked): Told | Promise<Told> => {
    const ask = readAsk(asked);
    log.push(`${ask.stream} ${ask.client} ${ask.cursor.slice(0, 20)} ${ask.value}`);
    state.heard?.(log.length);
    return toldOf(serve(ask, state.day) ?? raw(404, '{"error":"not_found"}'));
  };
  const sandbox = await startSandbox({
    ...{ apiKeys: [tortureKey], clients: 0, perMinute: 1_000_000, perDay: 1_000_000 },
    faults: { answer },
  });
  return Object.assign(state, {
    url: sandbox.url,
    attack: (next: Attack | undefined) => {
      attack = next;
      last = next ?? last;
      acted = false;
      walks = 0;
    },
    takeRequests: () => {
      const count = asked;
      asked = 0;
      return count;
    },
    truth: (stream: string, client: string) =>
      listKeys.has(stream)
        ? recordsToday(stream, client, state.day)
        : ['ask', 'airank_public', 'agent_run_traces'].includes(stream)
          ? valuesOf(stream, state.day).map((value) => bodyOf(stream, client, state.day, value))
          : [bodyOf(stream, client, state.day)],
    moved: () => moved,
    close: () => sandbox.close(),
  });
}

type Records = (stream: string, client: string, day: number) => readonly Fields[];

function readAsk({ path, query }: Asked): Ask {
  const isPublic = /^airank\/pub-/.test(path);
  const value = isPublic ? path.slice('airank/'.length) : (query.get('id') ?? query.get('pregunta') ?? '');
  const route = isPublic ? 'airank/:id' : path;
  const stream = isPublic
    ? 'airank_public'
    : route === 'agent/runs' && value !== ''
      ? 'agent_run_traces'
      : route.replace(/[/-]/g, '_');
  const cursor = query.get('cursor') ?? '';
  const [, pageNo = '1', fresh = '0'] = /^p(\d+)\.(\d+)$/.exec(cursor) ?? [];
  return {
    route,
    stream,
    client: query.get('cliente') ?? '',
    cursor,
    pageNo: Number(pageNo),
    fresh: Number(fresh),
    limit: Math.min(Number(query.get('limite') ?? '50'), 200),
    value,
    csv: query.get('format') === 'csv',
    walk: 0,
  };
}

function handsOf(ask: Ask, target: Target, recordsToday: Records, day: number): Hands {
  const records = listKeys.has(ask.stream) ? recordsToday(ask.stream, ask.client, day) : [];
  return {
    kind: target.kind,
    target,
    day,
    records,
    pages: Math.max(Math.ceil(records.length / ask.limit), 1),
    healthy: () => healthy(ask, recordsToday, day) ?? raw(404, '{}'),
    page: (page, next, extra = {}) =>
      ask.csv ? csvOf(page as Fields[]) : pageOf(ask.stream, page, next, extra),
    slice: (pageNo, of = records) => of.slice((pageNo - 1) * ask.limit, pageNo * ask.limit),
    cursorOf,
  };
}

function cursorOf(pageNo: number, fresh = 0): string {
  return `p${pageNo}.${fresh}`;
}

function healthy(ask: Ask, recordsToday: Records, day: number): Reply | undefined {
  if (!listKeys.has(ask.stream)) {
    const isKnown = targets.some(({ stream }) => stream === ask.stream);
    if (!isKnown) return undefined;
    const values = ask.value === '' ? [''] : valuesOf(ask.stream, day);
    return values.includes(ask.value) ? json(bodyOf(ask.stream, ask.client, day, ask.value)) : undefined;
  }
  const records = recordsToday(ask.stream, ask.client, day);
  if (ask.csv) return csvOf(records);
  const page = records.slice((ask.pageNo - 1) * ask.limit, ask.pageNo * ask.limit);
  const isLast = ask.pageNo * ask.limit >= records.length;
  return pageOf(ask.stream, page, isLast ? undefined : cursorOf(ask.pageNo + 1), {});
}

function pageOf(stream: string, records: readonly unknown[], next: string | undefined, extra: Fields): Reply {
  return json({
    ...extra,
    [listKeys.get(stream) ?? 'lista']: records,
    paginacion: { siguiente: next ?? null },
  });
}

function csvOf(records: readonly Fields[]): Reply {
  const names = Object.keys(records[0] ?? { medicion_id: 1, fecha: 1, airank: 1, metodo: 1 });
  const lines = records.map((record) => names.map((name) => String(record[name])).join(','));
  return raw(200, `${[names.join(','), ...lines].join('\n')}\n`, 'text/csv');
}

function toldOf(reply: Reply): Told | Promise<Told> {
  switch (reply.kind) {
    case 'json':
      return { status: 200, contentType: 'application/json', body: JSON.stringify(reply.body) };
    case 'raw':
      return { status: reply.status, contentType: reply.type, body: reply.body };
    case 'wire':
      if (reply.how === 'hangs') return new Promise(() => undefined);
      return reply.how === 'truncated' ? 'cut' : 'drop';
  }
}
