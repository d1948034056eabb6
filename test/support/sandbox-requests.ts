// Asks a sandbox over HTTP: one body, or a whole walk of a list route.
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import { routes } from '../../src/sandbox/routes.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';

/** A sandbox of a fixed date without limits that get in the way. */
export function startOpenSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return startSandbox({ date: '2026-05-01', perMinute: 1_000_000, perDay: 1_000_000, ...options });
}

const slicedByClient = routes.filter(({ perClient }) => perClient).map(({ route }) => route);

/** Records of the account's own routes do not say whose they are. */
export const withoutClientField: SandboxOptions = {
  faults: {
    answer: ({ path }, due) =>
      slicedByClient.includes(path) || typeof due.body !== 'string'
        ? undefined
        : {
            ...due,
            body: due.body.replaceAll(/"cliente":(?:null|\d+|"[^"]*"),|,"cliente":(?:null|\d+|"[^"]*")/g, ''),
          },
  },
};

type Query = Readonly<Record<string, string>>;

/** One GET with the sandbox's first key. */
export function get(
  sandbox: Sandbox,
  route: string,
  query: Query = {},
  headers: Query = {},
): Promise<Response> {
  const url = `${sandbox.url}/api/v1/${route}?${new URLSearchParams(query)}`;
  return fetch(url, { headers: { authorization: `Bearer ${sandbox.keys[0]}`, ...headers } });
}

/** The body of a GET as text. */
export async function getText(sandbox: Sandbox, route: string, query: Query = {}): Promise<string> {
  return (await get(sandbox, route, query)).text();
}

/** The body of a GET as an object. */
export async function getBody(sandbox: Sandbox, route: string, query: Query = {}): Promise<Body> {
  return asBody(await (await get(sandbox, route, query)).json());
}

export type Body = Readonly<Record<string, unknown>>;

export function asBody(value: unknown): Body {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`Expected an object, got ${JSON.stringify(value)}`);
  }
  return { ...value };
}

/** The records under a list key. */
export function listOf(body: Body, key: string): readonly Body[] {
  const list = body[key];
  if (!Array.isArray(list))
    throw new TypeError(`Expected a list under "${key}", got ${JSON.stringify(list)}`);
  return list.map(asBody);
}

/** The cursor of the next page; undefined on the last one. */
export function nextCursor(body: Body): string | undefined {
  const next = asBody(body['paginacion'])['siguiente'];
  return typeof next === 'string' ? next : undefined;
}

/** All records of a list route, in order, and how many pages they took. */
export async function walk(
  sandbox: Sandbox,
  route: string,
  key: string,
  query: Query = {},
): Promise<{ readonly records: readonly Body[]; readonly pages: number }> {
  const records: Body[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const body = await getBody(sandbox, route, { ...query, ...(cursor === undefined ? {} : { cursor }) });
    records.push(...listOf(body, key));
    cursor = nextCursor(body);
    pages += 1;
  } while (cursor !== undefined);
  return { records, pages };
}

/** The list routes with their keys. */
export const listRoutes = routes.flatMap((route) =>
  route.kind === 'list' ? [[route.route, route.list] as const] : [],
);

/** The routes whose whole body is one record. */
export const singleRoutes = routes.flatMap((route) => (route.kind === 'single' ? [route.route] : []));
