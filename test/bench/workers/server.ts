// A server for the bench of workers: a list of clients and one small record or a page of some for each, for any key, with or without a limit a
// minute and key. Runs as a process of its own. Arguments: clients, requests a minute (0: no limit), records a page.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { RateWindow } from '../../../src/sandbox/rate-window.ts';

const [clients = 20, perMinute = 0, records = 1] = process.argv.slice(2).map(Number);
const windows = new Map<string, RateWindow>();
const day = new Date().toISOString().slice(0, 10);
let answered = 0;
let refused = 0;

function bodyOf(url: URL): string {
  const client = url.searchParams.get('cliente') ?? '';
  if (url.pathname.endsWith('/prompts')) {
    const page = Array.from(
      { length: records },
      (_, i) =>
        `{"id":"${client}-${i}","pregunta":"¿Cuál es la mejor silla de oficina número ${i} para ${client}?","motor":"chatgpt","frecuencia":${i},"activa":true}`,
    );
    return `{"preguntas":[${page.join(',')}]}`;
  }
  if (!url.pathname.endsWith('/clientes'))
    return `{"cliente":"${client}","fecha":"${day}","metodo":"v2","puntuacion":${client.length * 7}}`;
  const all = Array.from({ length: clients }, (_, i) => `{"id":"c${i + 1}","nombre":"Cliente ${i + 1}"}`);
  return `{"clientes":[${all.join(',')}]}`;
}

function isRefused(key: string): boolean {
  if (perMinute === 0) return false;
  const window = windows.get(key) ?? new RateWindow(perMinute, 'fixed', 60_000);
  windows.set(key, window);
  return !window.take(Date.now()).allowed;
}

const server = createServer((request, response) => {
  const text = isRefused(request.headers.authorization ?? '')
    ? '{"error":"rate_limited","retryAfter":5}'
    : bodyOf(new URL(request.url ?? '/', 'http://127.0.0.1'));
  const isOver = text.startsWith('{"error"');
  if (isOver) refused += 1;
  else answered += 1;
  response.writeHead(isOver ? 429 : 200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
});
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : ''}\n`);
});
createInterface({ input: process.stdin })
  .on('line', () => process.stdout.write(`${answered} ${refused}\n`))
  // Ends with its parent.
  .on('close', () => process.exit(0));
