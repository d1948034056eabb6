// A server with archives that the test fills: newest first, a few records a page, cursors by position.
import { sendJson, startLoopbackServer } from './loopback-server.ts';

export interface ArchiveRecord {
  readonly id?: number | string;
  readonly valor: unknown;
}

export interface ArchiveServer {
  readonly url: string;
  /** By route; newest first. A route that is not there answers 404. */
  readonly archives: Map<string, ArchiveRecord[]>;
  /** Returns what the body of a page holds beside the list. */
  envelope: (route: string, pageNo: number) => Record<string, unknown>;
  /** Requests since the last look: `route page`. */
  asked: string[];
  /** Requests from this one on are answered 503; undefined: none. */
  failsFrom: number | undefined;
  close(): Promise<void>;
}

const listKeys: Readonly<Record<string, string>> = {
  actions: 'acciones',
  crawl: 'salud',
  products: 'productos',
};

export async function startArchiveServer(pageSize: number): Promise<ArchiveServer> {
  const state: Omit<ArchiveServer, 'url' | 'close'> = {
    archives: new Map(),
    envelope: () => ({}),
    asked: [],
    failsFrom: undefined,
  };
  const server = await startLoopbackServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://server');
    const route = url.pathname.replace('/api/v1/', '');
    const client = url.searchParams.get('cliente');
    const name = client === null ? route : `${route}?${client}`;
    const from = Number(url.searchParams.get('cursor') ?? '0');
    const pageNo = from / pageSize + 1;
    state.asked.push(`${name} ${pageNo}`);
    const records = state.archives.get(name);
    const fails = state.failsFrom !== undefined && state.asked.length >= state.failsFrom;
    const status = fails ? 503 : records === undefined ? 404 : 200;
    const end = from + pageSize;
    const body = {
      ...state.envelope(name, pageNo),
      [listKeys[route] ?? 'registros']: records?.slice(from, end),
      paginacion: { siguiente: end < (records?.length ?? 0) ? String(end) : null },
    };
    sendJson(response, status, status === 200 ? body : { error: 'no' });
  });
  return Object.assign(state, {
    url: server.url,
    close: () => server.close(),
  });
}
