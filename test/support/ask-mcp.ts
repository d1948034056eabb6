// An assistant in this process: the SDK's own pair of transports, and the server over a warehouse of a test.
import { InMemoryTransport } from '@modelcontextprotocol/server';
import type pg from 'pg';
import { createDatabase } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { type Warehouse, warehouseSource } from '../../src/mcp/read/source.ts';
import { createServer } from '../../src/mcp/server.ts';
import type { Offer } from '../../src/mcp/tools.ts';
import { openReader } from '../../src/reporting/reader/open-reader.ts';
import { catalog } from '../../src/streams/catalog.ts';

/** Answer of a tool: one of the two forms, after both were compared. */
export interface Said {
  readonly error?: { readonly code: string; readonly message: string; readonly fix: string };
  readonly as_of?: { run_date: string | null; complete: boolean; stale: string[]; missing: string[] } | null;
  readonly notice: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly end_of_data: string;
  readonly truncated: boolean;
  readonly next_cursor: string | null;
}

export interface Assistant {
  ask(method: string, params?: object): Promise<Record<string, unknown>>;
  /** @throws where the two forms differ */
  call(tool: string, args?: object): Promise<Said>;
  close(): Promise<void>;
}

interface Told extends Partial<Omit<Offer, 'source'>> {
  readonly queryUrl?: string;
  /** In place of what is opened. */
  readonly open?: (work: (warehouse: Warehouse) => Promise<void>) => Promise<void>;
}

/** @param database with the warehouse */
export async function assistantOf(
  database: { readonly url: string; readonly pool: pg.Pool },
  { bound, whyNoSql = 'none', servicePrefix, queryUrl = '', open }: Told = {},
): Promise<Assistant> {
  const source = warehouseSource(open ?? ((work) => openHere(database, queryUrl, work)), catalog);
  const server = createServer(
    { source, bound, servicePrefix, whyNoSql: queryUrl === '' ? whyNoSql : undefined },
    (text) => text,
  );
  const [here, there] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<number, (answer: Record<string, unknown>) => void>();
  here.onmessage = (message) => {
    if ('id' in message) waiting.get(Number(message.id))?.(message as Record<string, unknown>);
  };
  await server.connect(there);
  await here.start();
  let id = 0;
  const ask = async (method: string, params: object = {}) => {
    id += 1;
    const answered = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
    await here.send({ jsonrpc: '2.0', id, method, params: { ...params } });
    const { result, error } = await answered;
    return (result ?? { error }) as Record<string, unknown>;
  };
  const clientInfo = { name: 'test', version: '1' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  await here.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    ask,
    call: async (tool, args = {}) => {
      const result = await ask('tools/call', { name: tool, arguments: args });
      const { content, structuredContent } = result as {
        content?: { text: string }[];
        structuredContent?: Said;
      };
      if (structuredContent === undefined) throw new Error(JSON.stringify(result));
      const text = content?.[0]?.text ?? '';
      if (text !== JSON.stringify(structuredContent)) throw new Error(`two answers: ${text}`);
      return structuredContent;
    },
    close: async () => {
      await here.close();
      await source.close();
    },
  };
}

async function openHere(
  { url, pool }: { readonly url: string; readonly pool: pg.Pool },
  queryUrl: string,
  work: (warehouse: Warehouse) => Promise<void>,
): Promise<void> {
  const warehouse = createPool({ connectionString: url, max: 8, applicationName: 'airank-reader' });
  try {
    const bi = await openReader({ readerUrl: undefined, warehouse });
    const api = await openReader({ readerUrl: undefined, warehouse, api: true });
    const db = createDatabase(pool);
    await work({ bi: bi.pool, api: async () => api.pool, db, queryUrl: async () => queryUrl });
  } finally {
    await warehouse.end();
  }
}
