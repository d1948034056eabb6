// A server for the pipeline bench: the same pages every time, as fast as Node can send them.
// Runs as a process of its own, so that its memory and garbage are not the pipeline's.
import { createServer } from 'node:http';

const recordsPerPage = 200;
const routes = ['mediciones', 'respuestas', 'citas', 'acciones'] as const;
const pages = Number(process.argv[2] ?? 250);

function record(id: number): string {
  return (
    `{"id":${id},"fecha":"2026-05-0${1 + (id % 9)}","motor":"motor-${id % 5}","pregunta":"¿Qué empresa recomiendas en la ciudad ${id % 97}?",` +
    `"posicion":${id % 10},"puntuacion":${(id % 1000) / 10},"url":"https://sitio-${id % 31}.example/pagina/${id}","citada":${id % 3 === 0},` +
    `"detalle":{"tono":"neutral","fuentes":["a.example","b.example"],"confianza":0.${100 + (id % 899)}}}`
  );
}

function page(route: string, number: number): string {
  const records: string[] = [];
  for (let i = 0; i < recordsPerPage; i += 1) records.push(record(number * recordsPerPage + i));
  const next = number + 1 < pages ? `"${number + 1}"` : 'null';
  return `{"${route}":[${records.join(',')}],"paginacion":{"siguiente":${next}}}`;
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const route = url.pathname.split('/').at(-1) ?? '';
  const known = routes.some((one) => one === route);
  const body = known ? page(route, Number(url.searchParams.get('cursor') ?? 0)) : '{"error":"no encontrado"}';
  response.writeHead(known ? 200 : 404, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-ratelimit-limit': '1000000',
    'x-ratelimit-remaining': '999000',
    'x-ratelimit-reset': '30',
  });
  response.end(body);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : ''}\n`);
});
// Ends with its parent.
process.stdin.on('end', () => process.exit(0)).resume();
