import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { asBody, getText, startOpenSandbox } from '../support/sandbox-requests.ts';

let sandbox: Sandbox;
let nowMs: number;
beforeEach(async () => {
  nowMs = Date.parse('2026-05-01T10:00:00Z');
  sandbox = await startOpenSandbox({ clock: () => nowMs });
});
afterEach(() => sandbox.close());

async function post(route: string, body: string, contentType = 'application/json') {
  const headers = { 'x-api-key': sandbox.keys[0] ?? '', 'content-type': contentType };
  const response = await fetch(`${sandbox.url}/api/v1/${route}`, { method: 'POST', headers, body });
  return { status: response.status, body: asBody(await response.json()) };
}

const json = (route: string, body: unknown) => post(route, JSON.stringify(body));
const untilMidnight = 14 * 3600;

describe('airank/run', () => {
  test('starts a one-off that is not comparable and enters no list', async () => {
    const before = await getText(sandbox, 'mediciones');
    const run = await json('airank/run', {
      empresa: 'Café Ñ',
      sector: 'hostelería',
      ubicacion: 'Vigo',
      forzar: true,
    });
    expect(run).toMatchObject({
      status: 201,
      body: { empresa: 'Café Ñ', tipo: 'puntual', comparable: false },
    });
    expect(await getText(sandbox, 'mediciones')).toBe(before);
  });

  test('reuses a recent measurement unless forced', async () => {
    const first = await json('airank/run', { empresa: 'Uno' });
    const again = await json('airank/run', { empresa: 'Uno' });
    const forced = await json('airank/run', { empresa: 'Uno', forzar: true });
    expect(again).toMatchObject({ status: 200, body: { id: first.body['id'], reutilizada: true } });
    expect(forced.status).toBe(201);
    expect(forced.body['id']).not.toBe(first.body['id']);
  });

  test('allows three new ones a day, then answers 429 quota until midnight', async () => {
    for (const empresa of ['a', 'b', 'c']) expect((await json('airank/run', { empresa })).status).toBe(201);
    const refused = await json('airank/run', { empresa: 'a', forzar: true });
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({ error: 'quota', mensaje: expect.any(String), retryAfter: untilMidnight });
    expect((await json('airank/run', { empresa: 'a' })).status).toBe(200);
    nowMs += untilMidnight * 1000;
    expect((await json('airank/run', { empresa: 'd' })).status).toBe(201);
    expect(sandbox.stats()).toMatchObject({ refused: 1 });
  });

  test.each([
    ['no object', [], 'cuerpo'],
    ['no business', {}, 'empresa'],
    ['an empty business', { empresa: ' ' }, 'empresa'],
    ['a sector that is no text', { empresa: 'a', sector: 3 }, 'sector'],
    ['a place that is no text', { empresa: 'a', ubicacion: {} }, 'ubicacion'],
    ['forzar that is no boolean', { empresa: 'a', forzar: 'sí' }, 'forzar'],
  ])('refuses %s with the field', async (_, body, campo) => {
    expect(await json('airank/run', body)).toMatchObject({ status: 400, body: { campo } });
  });
});

describe('crawl-logs', () => {
  const event = {
    fecha: '2026-05-01T10:00:00Z',
    ua: 'GPTBot',
    ruta: '/a',
    estado: 200,
    ms: 12,
    ip: '192.0.2.1',
  };

  test('takes JSON events and says how many are usable', async () => {
    const sent = await json('crawl-logs', { eventos: [event, { ...event, ruta: undefined }] });
    expect(sent).toMatchObject({ status: 202, body: { formato: 'json', aceptados: 1, descartados: 1 } });
    expect(sent.body).toMatchObject({ retencionDias: 90, ipGuardada: false });
  });

  test.each([
    ['combinado', '192.0.2.1 - - [01/May/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "GPTBot"\nbasura'],
    ['json_por_linea', `${JSON.stringify(event)}\n{"ruta":`],
    ['csv', 'fecha,ua,ruta,estado\n2026-05-01,GPTBot,/a,200\nsolo'],
  ])('takes text as %s', async (form, text) => {
    const sent = await post('crawl-logs', text, 'text/plain');
    expect(sent).toMatchObject({ status: 202, body: { formato: form, aceptados: 1, descartados: 1 } });
  });

  test('refuses text in no known form, and JSON without events', async () => {
    expect((await post('crawl-logs', 'hola', 'text/plain')).status).toBe(400);
    expect((await post('crawl-logs', '', 'text/plain')).status).toBe(400);
    expect((await json('crawl-logs', { eventos: {} })).status).toBe(400);
  });
});

describe('bgpi/observe', () => {
  test('takes questions of 8 to 300 characters, counted as people count', async () => {
    const questions = ['x'.repeat(8), 'ñ'.repeat(300), '🙂'.repeat(300)];
    const sent = await json('bgpi/observe', { preguntas: questions });
    expect(sent).toMatchObject({ status: 202, body: { aceptadas: 3, restantesHoy: 197 } });
  });

  test.each([
    ['7 characters', ['x'.repeat(7)]],
    ['7 characters and blanks', [`  ${'x'.repeat(7)}   `]],
    ['301 characters', ['x'.repeat(301)]],
    ['no text', [12_345_678]],
    ['no question at all', []],
    ['21 questions', Array(21).fill('una pregunta')],
    ['no list', 'una pregunta'],
  ])('refuses %s and counts none of them', async (_, preguntas) => {
    expect((await json('bgpi/observe', { preguntas })).status).toBe(400);
    const next = await json('bgpi/observe', { preguntas: ['una pregunta'] });
    expect(next.body).toMatchObject({ restantesHoy: 199 });
  });

  test('takes 200 a day, whole requests only', async () => {
    for (let request = 0; request < 9; request++) {
      expect((await json('bgpi/observe', { preguntas: Array(20).fill('una pregunta') })).status).toBe(202);
    }
    await json('bgpi/observe', { preguntas: Array(15).fill('una pregunta') });
    const refused = await json('bgpi/observe', { preguntas: Array(6).fill('una pregunta') });
    expect(refused).toMatchObject({ status: 429, body: { error: 'quota', retryAfter: untilMidnight } });
    expect((await json('bgpi/observe', { preguntas: Array(5).fill('una pregunta') })).status).toBe(202);
    nowMs += untilMidnight * 1000;
    expect((await json('bgpi/observe', { preguntas: ['una pregunta'] })).status).toBe(202);
  });
});

test('a write needs the key, like every other route', async () => {
  const response = await fetch(`${sandbox.url}/api/v1/airank/run`, {
    method: 'POST',
    body: '{"empresa":"a"}',
  });
  expect(response.status).toBe(401);
});
