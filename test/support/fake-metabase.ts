// A Metabase on loopback that keeps what it is given, and reads the views of the warehouse a while after it is told to.
import { json } from 'node:stream/consumers';
import { catalogue } from '../../src/db/code/catalogue.ts';
import { readMetabaseQuestions } from '../../src/reporting/metabase/question.ts';
import { sendJson, startLoopbackServer } from './loopback-server.ts';

export type Row = Record<string, unknown> & { id: number };
type Table = { name: string; schema: string; fields: Row[] };

interface MetabaseState {
  readonly databases: Row[];
  tables: Table[];
  readonly collections: Row[];
  readonly cards: Row[];
  readonly dashboards: Row[];
}

export interface FakeMetabaseOptions {
  readonly version?: string;
  readonly isAdmin?: boolean;
  /** Looks at the views until they are there. Default 2. */
  readonly looks?: number;
  /** The connection breaks after so many writes, the last one done but not answered. */
  readonly breakAfterWrites?: number;
}

export interface FakeMetabase {
  readonly url: string;
  readonly state: MetabaseState;
  /** Method and path of each write. */
  readonly writes: string[];
  /** Keys that came, by path. */
  readonly keys: Map<string, string | undefined>;
  /** No more breaks. */
  heal(): void;
  close(): Promise<void>;
}

const trashId = 8_000;

export const metabaseKey = 'mb_test_key_0123456789';

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export async function startFakeMetabase(options: FakeMetabaseOptions = {}): Promise<FakeMetabase> {
  const state: MetabaseState = { databases: [], tables: [], collections: [], cards: [], dashboards: [] };
  const writes: string[] = [];
  const keys = new Map<string, string | undefined>();
  const columns = await knownColumns();
  let breakAfter = options.breakAfterWrites ?? Number.POSITIVE_INFINITY;
  let looksLeft = Number.POSITIVE_INFINITY;
  let lastId = 0;
  const nextId = () => {
    lastId += 1;
    return lastId;
  };

  const learn = () => {
    looksLeft -= 1;
    if (looksLeft > 0) return;
    if (state.tables.length > 0) {
      for (const { name, schema, fields } of state.tables) {
        if (schema === 'other' || fields.length > 1) continue;
        const others = (columns.get(`${schema}.${name}`) ?? []).slice(1);
        fields.push(...others.map((column) => ({ id: nextId(), name: column, semantic_type: null })));
      }
      return;
    }
    // At first only what comes first.
    const read = [...columns].map(([view, names]) => ({
      name: view.split('.')[1] ?? '',
      schema: view.split('.')[0] ?? '',
      fields: names.slice(0, 1).map((column) => ({ id: nextId(), name: column, semantic_type: null })),
    }));
    state.tables = [...read, { name: 'clients', schema: 'other', fields: [] }];
  };

  const add = (rows: Row[], fields: Record<string, unknown>): Reply => {
    const row = { ...fields, id: nextId() };
    rows.push(row);
    return { status: 200, body: row };
  };
  const read = (path: string, query: URLSearchParams): Reply => {
    const [first = '', second = '', third] = path.split('/');
    const ok = (body: unknown): Reply => ({ status: 200, body });
    const archived = (row: Row) => row['archived'] === true;
    if (path === 'session/properties') return ok({ version: { tag: options.version ?? 'v0.57.1' } });
    if (path === 'user/current') return ok({ id: 1, is_superuser: options.isAdmin ?? true });
    if (path === 'database') return ok({ data: state.databases.map(hidden), total: state.databases.length });
    if (first === 'database' && third === 'metadata') {
      learn();
      return ok({ tables: state.tables });
    }
    if (path === 'collection') {
      const wanted = query.get('archived') === 'true';
      return ok([
        { id: 'root', name: 'Our analytics' },
        ...state.collections.filter((row) => archived(row) === wanted),
      ]);
    }
    if (path === 'collection/trash') return ok({ id: trashId, name: 'Trash' });
    if (first === 'collection' && third === 'items') {
      const inPlace = (row: Row) =>
        Number(second) === trashId
          ? archived(row)
          : !archived(row) && row['collection_id'] === Number(second);
      const of = (rows: readonly Row[], model: string) =>
        rows.filter(inPlace).map(({ id, name, description }) => ({ id, name, description, model }));
      return ok({ data: [...of(state.cards, 'card'), ...of(state.dashboards, 'dashboard')] });
    }
    const row = first === 'dashboard' ? state.dashboards.find(({ id }) => id === Number(second)) : undefined;
    return row === undefined ? { status: 404, body: 'Not found.' } : ok(row);
  };

  const write = (method: string, path: string, body: Record<string, unknown>): Reply => {
    const [first = '', second = '', third] = path.split('/');
    if (method === 'POST') {
      if (path === 'database') return add(state.databases, body);
      if (path === 'collection') return add(state.collections, body);
      if (path === 'card') return add(state.cards, body);
      const empty = { dashcards: [], tabs: [], parameters: [] };
      if (path === 'dashboard') return add(state.dashboards, { ...body, ...empty });
      if (first === 'database' && third === 'sync_schema') {
        looksLeft = options.looks ?? 2;
        return { status: 200, body: { status: 'ok' } };
      }
    }
    const rows = {
      database: state.databases,
      field: state.tables.flatMap(({ fields }) => fields),
      card: state.cards,
      dashboard: state.dashboards,
    }[first];
    const row = rows?.find(({ id }) => id === Number(second));
    if (row === undefined) return { status: 404, body: 'Not found.' };
    Object.assign(row, numbered(body, nextId));
    return { status: 200, body: row };
  };

  const server = await startLoopbackServer(async (request, response) => {
    const url = new URL(`http://metabase.invalid${request.url ?? ''}`);
    const path = url.pathname.replace(/^\/api\//, '');
    const key = request.headers['x-api-key'];
    keys.set(path, typeof key === 'string' ? key : undefined);
    let reply: Reply;
    if (path !== 'session/properties' && key !== metabaseKey)
      reply = { status: 401, body: 'Unauthenticated' };
    else if (request.method === 'GET') reply = read(path, url.searchParams);
    else {
      if (writes.length >= breakAfter) return request.socket.destroy();
      writes.push(`${request.method} ${path}`);
      reply = write(request.method ?? '', path, (await json(request)) as Record<string, unknown>);
      if (writes.length >= breakAfter) return request.socket.destroy();
    }
    return sendJson(response, reply.status, reply.body);
  });
  const heal = () => {
    breakAfter = Number.POSITIVE_INFINITY;
  };
  return { url: server.url, state, writes, keys, heal, close: server.close };
}

/** Views whose types tests look at have all columns; of the others those that questions are filtered by are enough. */
async function knownColumns(): Promise<ReadonlyMap<string, readonly string[]>> {
  const whole = ['bi.clients', 'bi.rank_trend', 'bi.mention_rates', 'bi.benchmark'];
  const tags = (await readMetabaseQuestions()).flatMap((question) => question.tags);
  const filtered = new Set(
    tags.flatMap((tag) => (tag.kind === 'field' ? [`${tag.view}.${tag.column}`] : [])),
  );
  return new Map(
    catalogue().map(({ view, columns }) => {
      const isKnown = (name: string, place: number) =>
        place === 0 || whole.includes(view) || filtered.has(`${view}.${name}`);
      return [view, columns.map(({ name }) => name).filter(isKnown)];
    }),
  );
}

/** The password is never given back. */
function hidden(row: Row): Row {
  return { ...row, details: { ...(row['details'] as object), password: '**MetabasePass**' } };
}

/** Tabs and cards that are new get ids of their own. */
function numbered(body: Record<string, unknown>, nextId: () => number): Record<string, unknown> {
  if (!('dashcards' in body)) return body;
  const { tabs, dashcards } = body as { tabs: Row[]; dashcards: Row[] };
  const ids = new Map(tabs.map(({ id }) => [id, id < 0 ? nextId() : id]));
  return {
    ...body,
    tabs: tabs.map((tab) => ({ ...tab, id: ids.get(tab.id) })),
    dashcards: dashcards
      .map((card) => ({
        ...card,
        id: card.id < 0 ? nextId() : card.id,
        dashboard_tab_id: ids.get(Number(card['dashboard_tab_id'])) ?? null,
      }))
      .reverse(),
  };
}
