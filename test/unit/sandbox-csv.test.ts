import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toCsv } from '../../src/sandbox/reads.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { get, getText, startOpenSandbox, walk } from '../support/sandbox-requests.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startOpenSandbox({ date: '2026-05-01', since: '2025-09-01' });
});
afterAll(() => sandbox.close());

test('the history as CSV is the whole history, field by field', async () => {
  const response = await get(sandbox, 'airank/history', { format: 'csv', limite: '5' });
  expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
  const rows: Record<string, string>[] = parse(await response.text(), {
    columns: true,
    record_delimiter: '\r\n',
  });
  const { records } = await walk(sandbox, 'airank/history', 'historial', { limite: '200' });
  expect(records.length).toBeGreaterThan(200);
  expect(rows).toHaveLength(records.length);
  for (const [index, record] of records.entries()) {
    const row = rows[index] ?? {};
    expect(Object.keys(row)).toEqual(Object.keys(record));
    for (const [field, value] of Object.entries(record)) {
      if (typeof value === 'number') expect(Number(row[field])).toBe(value);
      else expect(row[field]).toBe(value === null ? '' : String(value));
    }
  }
});

test('writes number literals in CSV as the JSON text has them', async () => {
  const json = await getText(sandbox, 'airank/history', { limite: '1' });
  const literal = /"puntuacion":(-?[\d.]+)/.exec(json)?.[1];
  const csv = await getText(sandbox, 'airank/history', { format: 'csv' });
  const [first]: Record<string, string>[] = parse(csv, { columns: true, record_delimiter: '\r\n' });
  expect(first?.['puntuacion']).toBe(literal);
});

test('has fields with quotes, commas and line breaks, quoted as RFC 4180 says', async () => {
  const csv = await getText(sandbox, 'airank/history', { format: 'csv' });
  expect(csv).toContain('""en paralelo""');
  expect(csv).toMatch(/"[^"]*\n[^"]*/);
  expect(toCsv([{ a: 'x,y', b: 'a "b"', c: 'l1\r\nl2', d: null, e: true }])).toBe(
    'a,b,c,d,e\r\n"x,y","a ""b""","l1\r\nl2",,true\r\n',
  );
});
