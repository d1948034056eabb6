// A curated view takes a value from another stream, another route or an older version where its own record is silent.
import { expect, it } from 'vitest';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const { lines } = database;

async function publish(stream: string, records: readonly object[], more: object = {}): Promise<void> {
  await publishRecords(database.db, { stream, runDate: '2026-03-01', records, ...more });
}

async function learn(): Promise<void> {
  await refreshViews(database.db);
  await refreshMapping(database.db);
}

it('an answer without a date has that of its measurement, a citation that of its answer, with engine and question', async () => {
  await publish('mediciones', [
    { id: 'm1', cliente: '7', fecha: '2026-02-10' },
    { id: 'm2', cliente: '7', inicio: '2026-02-11T23:30:00Z', fecha: null },
  ]);
  await publish('respuestas', [
    { id: 'r1', medicion_id: 'm1', motor: 'uno', pregunta: '¿Cuál?' },
    { id: 'r2', medicion_id: 'm2', motor: 'dos', pregunta: '¿Dónde?' },
    { id: 'r3', medicion_id: 'm1', motor: 'dos', pregunta: '¿Dónde?', fecha: '2026-02-20T10:00:00Z' },
    { id: 'r4', medicion_id: 'mx' },
  ]);
  await publish('citas', [
    { id: 1, respuesta_id: 'r1', url: 'https://x.test/a' },
    { id: 2, respuesta_id: 'r3', url: 'https://x.test/b' },
    { id: 3, medicion_id: 'm2', url: 'https://x.test/c', motor: 'tres' },
    { id: 4, respuesta_id: 'r1', url: 'https://x.test/d', fecha: '2026-02-25', motor: 'tres' },
  ]);
  await learn();
  expect(await lines('select answer_id, answered_date from bi.answers order by 1')).toEqual([
    'r1 2026-02-10',
    'r2 2026-02-11',
    'r3 2026-02-20',
    'r4 -',
  ]);
  expect(
    await lines('select page_url, cited_date, engine, question from bi.citation_events order by 1'),
  ).toEqual([
    'https://x.test/a 2026-02-10 uno ¿Cuál?',
    'https://x.test/b 2026-02-20 dos ¿Dónde?',
    'https://x.test/c 2026-02-11 tres -',
    'https://x.test/d 2026-02-25 tres ¿Cuál?',
  ]);
});

it("an action without a title has that of the list of its client's actions by the same id, also after it is gone there", async () => {
  const seven = [
    { id: 'a', cliente: '7', titulo: 'De 7' },
    { id: 'c', cliente: '7', titulo: 'Otra' },
    { id: 'd', titulo: 'De la cuenta', creada: '2026-01-09' },
  ];
  await publish('acciones', [...seven, { id: 'b', cliente: '8', titulo: 'Se va' }]);
  await publish('acciones', [{ id: 'a', cliente: '8', titulo: 'De 8' }], { clientId: '8' });
  await publish('acciones', seven, { runDate: '2026-03-02' });
  await publish('actions', [
    { id: 'a', cliente: '7', estado: 'x', prioridad: 'Alta' },
    { id: 'b', cliente: '8', estado: 'x', prioridad: 2 },
    { id: 'c', cliente: '7', estado: 'x', titulo: 'Propia' },
    { id: 'd', cliente: '7', estado: 'x', creada: '2026-01-05' },
  ]);
  await learn();
  const titles = ['a De 7', 'b Se va', 'c Propia', 'd -'];
  expect(await lines('select action_id, title from bi.actions order by 1')).toEqual(titles);
  expect(await lines('select action_id, title from bi.action_status_history order by 1')).toEqual(titles);
  expect(await lines(`select title from bi.events where event_type = 'action' and client_id = '7'`)).toEqual([
    '-',
  ]);
  expect(await lines('select priority_level from bi.actions order by action_id')).toEqual([
    ...['2', '2', '-', '-'],
  ]);
});

it('research candidates are those of the newest one that is finished, while the next one runs', async () => {
  const step = async (runDate: string, id: string, terminada: string | null, ...preguntas: string[]) => {
    const candidatos = preguntas.map((normalizado) => ({ normalizado }));
    const estado = terminada === null ? 'En curso' : 'terminada';
    const research = { id, estado, iniciada: '2026-03-01', terminada, candidatos };
    await publish('prompt_research', [research], { runDate, key: [] });
  };
  const shown = () =>
    lines('select research_id, question, last_run_date from bi.research_candidates order by 2');
  await step('2026-03-01', 'i1', '2026-03-01', 'a', 'b');
  await learn();
  expect(await shown()).toEqual(['i1 a 2026-03-01', 'i1 b 2026-03-01']);
  await step('2026-03-02', 'i1', '2026-03-01', 'a', 'b');
  await step('2026-03-03', 'i2', null, 'c');
  expect(await shown()).toEqual(['i1 a 2026-03-02', 'i1 b 2026-03-02']);
  await step('2026-03-04', 'i2', '2026-03-04', 'c', 'd');
  expect(await shown()).toEqual(['i2 c 2026-03-04', 'i2 d 2026-03-04']);
});

it('a point of the trend has position and dimensions of whichever route knows them', async () => {
  const point = { fecha: '2026-03-01', metodo: 'v2', comparable: true };
  await publish('visibility', [{ ...point, puntuacion: 50 }], { key: [], clientId: '7' });
  const known = { puntuacion: 49, posicion: 3, dimensiones: [{ eje: 'presencia', marca: 62 }] };
  await publish('airank_history', [{ id: 1, ...point, ...known }], { clientId: '7' });
  await learn();
  expect(await lines('select source, score, position from bi.rank_trend')).toEqual(['visibility 50 3']);
  expect(await lines('select dimension, score from bi.rank_dimensions')).toEqual(['presencia 62']);
});

it('a gap is what rivals have more, by the numbers where both are known, else by what the API states', async () => {
  await publish('sources', [
    { id: 1, dominio: 'more', citas: 3, citas_rivales: 5, brecha: -2 },
    { id: 2, dominio: 'less', citas: 5, citas_rivales: 3, brecha: 2, oportunidad: { tipo: 'mencion' } },
    { id: 3, dominio: 'stated', brecha: 0.5 },
    { id: 4, dominio: 'chance', oportunidad: { tipo: 'mencion' } },
  ]);
  await learn();
  for (const schema of ['bi', 'bi_history']) {
    const gaps = `select domain, gap_count, stated_gap from ${schema}.sources where is_gap order by 1`;
    expect(await lines(gaps)).toEqual(['more 2 -2', 'stated - 0.5']);
  }
});

it('a share of a competitor is of the answers or of the voice, and never outside 0 to 1', async () => {
  await publish('competitors', [
    { id: 1, nombre: 'a', menciones_por_100: 25, cuota: 0.4 },
    { id: 2, nombre: 'b', menciones_por_100: 25 },
    { id: 3, nombre: 'c', menciones_por_100: 140 },
    { id: 4, nombre: 'd', cuota: 55 },
  ]);
  await learn();
  expect(
    await lines(
      'select competitor_name, share_rate::float8, share_of_voice_rate, mentions_per_100_answers from bi.share_of_voice order by 1',
    ),
  ).toEqual(['a 0.25 0.4 25', 'b 0.25 - 25', 'c - - 140', 'd - - -']);
});

it('the health of slices is the newest attempt of each, with the newest run date that is published', async () => {
  for (const runDate of ['2026-03-01', '2026-03-02'])
    await publish('shopping', [{ id: 1, merchant: 'm' }], { account: 'health', runDate });
  await publish('crawl', [{ id: 1, bot: 'b' }], { account: 'health' });
  await database.rows(
    `insert into sync.slice (account, stream, client_id, run_date, status, error)
     values ('health', 'shopping', '', '2026-03-03', 'failed', 'no'), ('health', 'surfaces', '', '2026-03-03', 'failed', 'no')`,
  );
  expect(
    await lines(
      `select stream, run_date, is_complete, is_fresh, complete_run_date from bi.freshness
       where account = 'health' order by 1`,
    ),
  ).toEqual([
    'crawl 2026-03-01 true false 2026-03-01',
    'shopping 2026-03-03 false false 2026-03-02',
    'surfaces 2026-03-03 false false -',
  ]);
});
