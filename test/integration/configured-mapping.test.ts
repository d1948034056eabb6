// Checks what the configuration and other sources do to the mapping, run after run.
import { expect, it } from 'vitest';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

const rows = async (text: string) => (await database.pool.query(text)).rows;
const lookOf = (source: string) =>
  rows(`select searched_at from sync.mapping_search where source = '${source}'`);

it('is not looked at again while it says the same, and a line less is looked for', async () => {
  const records = [{ id: 1, nombre: 'Silla', precio: 10, otra: 12 }];
  await publishRecords(database.db, { stream: 'products', clientId: '7', runDate: '2026-03-01', records });
  await refreshMapping(database.db, { 'products.price': 'otra' });
  const before = await lookOf('products');
  expect(await rows('select price_amount from bi.products')).toEqual([{ price_amount: '12' }]);
  await refreshMapping(database.db, { 'products.price': 'otra' });
  expect(await lookOf('products')).toEqual(before);
  await refreshMapping(database.db, {});
  expect(await rows('select price_amount from bi.products')).toEqual([{ price_amount: '10' }]);
});

it('reads a date that could be either as soon as another source shows which comes first', async () => {
  const dated = (stream: string, fecha: string) => {
    const records = [{ fecha, puntuacion: 61.5 }];
    return publishRecords(database.db, { stream, runDate: '2026-05-01', key: [], records });
  };
  const pathOf = (source: string) =>
    rows(`select path from sync.mapping where source = '${source}' and field = 'date'`);
  await dated('airank', '03/04/2026');
  await refreshMapping(database.db, {});
  expect(await pathOf('rank_now')).toEqual([]);
  await dated('airank_history', '25/04/2026');
  await refreshMapping(database.db, {});
  expect(await pathOf('rank_now')).toEqual([{ path: 'fecha | dmy' }]);
  expect(await rows('select date::text from bi_map.rank_now')).toEqual([{ date: '2026-04-03' }]);
  const before = await lookOf('rank_now');
  await refreshMapping(database.db, {});
  expect(await lookOf('rank_now')).toEqual(before);
});

it('that moves the rows and says what was found below them loses no line of it', async () => {
  const elements = [
    { motor: 'chatgpt', pregunta: '¿Cuál?', texto: 'sí' },
    { motor: 'gemini', pregunta: '¿Qué?', texto: 'no' },
  ];
  const records = [{ superficies: elements, otras: elements }];
  await publishRecords(database.db, { stream: 'surfaces', runDate: '2026-03-01', key: [], records });
  await refreshMapping(database.db, {});
  await refreshMapping(database.db, { 'surfaces.(rows)': 'otras', 'surfaces.engine': 'motor' });
  expect(
    await rows(
      `select field, path, origin from sync.mapping where source = 'surfaces' and origin = 'configuration' order by 1`,
    ),
  ).toEqual([
    { field: '(rows)', path: 'otras', origin: 'configuration' },
    { field: 'engine', path: 'motor', origin: 'configuration' },
  ]);
});
