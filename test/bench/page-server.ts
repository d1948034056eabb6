// A server for the pipeline bench: the same pages every time, as fast as Node can send them. A line on its standard
// input is the next day: 3 % of the records have changed. Runs as a process of its own, so that its memory and garbage
// are not the pipeline's.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const recordsPerPage = 200;
const lists = ['mediciones', 'respuestas', 'citas', 'acciones'];
/** One small record for each client. */
const perClient = ['airank', 'visibility', 'visibility/history', 'rank2', 'products'];
const [pages = 250, clients = 300] = process.argv.slice(2, 4).map(Number);
/** Dates and decimals as people in Spain write them, or as ISO and JSON have them. */
const isSpanish = process.argv[4] === 'spanish';
let day = 0;

/** Requests of a minute that nobody else shares. */
const limit = 1_000_000;
const minuteMs = 60_000;
let endsAtMs = 0;
let counted = 0;

/** How often a record had changed by today. */
function revision(id: number): number {
  return Math.floor((day * 3 + ((id * 7919) % 100)) / 100);
}

/** Fields that one record in so many has, as real ones do; some are met late. */
function optional(id: number): string {
  const some = [2, 3, 5, 11, 29, 97].filter((every) => id % every === 0);
  return some.map((every) => `,"campo_${every}":${every % 2 === 0 ? `"v${id % 7}"` : id % 13}`).join('');
}

function record(id: number): string {
  const day = 1 + (id % 9);
  const score = ((id + revision(id) * 13) % 1000) / 10;
  const [date, points] = isSpanish
    ? [`0${day}/05/2026 10:3${id % 10}`, `"${String(score).replace('.', ',')}"`]
    : [`2026-05-0${day}`, score];
  return (
    `{"id":${id},"fecha":"${date}","motor":"motor-${id % 5}","pregunta":"¿Qué empresa recomiendas en la ciudad ${id % 97}?",` +
    `"posicion":${id % 10},"puntuacion":${points},"url":"https://sitio-${id % 31}.example/pagina/${id}","citada":${id % 3 === 0},` +
    `"detalle":{"tono":"neutral","fuentes":["a.example","b.example"],"confianza":0.${100 + (id % 899)}}${optional(id)}}`
  );
}

function page(route: string, number: number): string {
  const records: string[] = [];
  for (let i = 0; i < recordsPerPage; i += 1) records.push(record(number * recordsPerPage + i));
  const next = number + 1 < pages ? `"${number + 1}"` : 'null';
  return `{"${route}":[${records.join(',')}],"paginacion":{"siguiente":${next}}}`;
}

function small(route: string, client: string): string {
  const one = `{"id":"${client}","cliente":"${client}","fecha":"2026-05-0${1 + (day % 9)}","metodo":"v2","puntuacion":${Number(client.slice(1)) / 10}${optional(Number(client.slice(1)))}}`;
  const key = { 'visibility/history': 'puntos', products: 'productos' }[route];
  return key === undefined ? one : `{"${key}":[${one}],"paginacion":{"siguiente":null}}`;
}

function bodyOf(url: URL): string | undefined {
  const route = url.pathname.replace('/api/v1/', '');
  if (lists.includes(route)) return page(route, Number(url.searchParams.get('cursor') ?? 0));
  if (perClient.includes(route)) return small(route, url.searchParams.get('cliente') ?? 'c0');
  if (route !== 'clientes') return undefined;
  const all = Array.from({ length: clients }, (_, i) => `{"id":"c${i + 1}","nombre":"Cliente ${i + 1}"}`);
  return `{"clientes":[${all.join(',')}]}`;
}

/** Reports the state of the minute, which renews at once. */
function rateHeaders(): Record<string, string> {
  const now = Date.now();
  if (now >= endsAtMs) {
    endsAtMs = now + minuteMs;
    counted = 0;
  }
  counted += 1;
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(limit - counted),
    'x-ratelimit-reset': String(Math.ceil((endsAtMs - now) / 1000)),
  };
}

const server = createServer((request, response) => {
  const body = bodyOf(new URL(request.url ?? '/', 'http://127.0.0.1'));
  const text = body ?? '{"error":"no encontrado"}';
  response.writeHead(body === undefined ? 404 : 200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...rateHeaders(),
  });
  response.end(text);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : ''}\n`);
});
createInterface({ input: process.stdin })
  .on('line', () => {
    day += 1;
  })
  // Ends with its parent.
  .on('close', () => process.exit(0));
