// How often engines name a brand: mention rates by week, and the brand's share of voice among its rivals.
import { beforeAll, describe, expect, it } from 'vitest';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const [before, runDate] = ['2026-02-20', '2026-03-10'] as const;

let answers = 0;
const answer = (
  cliente: string,
  fecha: string,
  menciona: boolean | null,
  pregunta = '¿Qué tienda es la primera?',
  motor = 'gemini',
) => ({
  ...{ id: `R-${++answers}`, cliente, fecha, motor, pregunta, menciona },
});

const rival = (cliente: string, nombre: string, menciones: number | null, more = {}) => ({
  ...{ id: `${cliente}-${nombre}`, cliente, nombre, marca: `Marca ${cliente}`, menciones_por_100: menciones },
  ...more,
});

beforeAll(async () => {
  const clients = ['7', '8', '9', '10', '11', '12'].map((id) => ({ id, nombre: `Client ${id}` }));
  await publishRecords(database.db, { stream: 'clientes', runDate: before, records: clients });
  const early = [
    // Sunday, Monday, and the new year in its week.
    answer('7', '2025-12-28', true),
    answer('7', '2025-12-29', true),
    answer('7', '2025-12-29', false, '¿Qué tienda es la otra?'),
    answer('7', '2026-01-01', null, '¿Qué tienda es la otra?'),
    answer('7', '2026-01-01', true, '¿Qué tienda es la otra?', 'claude'),
    answer('8', '2026-01-01', null),
    // The first is too old for the first run date, and both others for the second.
    answer('7', '2026-01-23', true),
    answer('7', '2026-01-24', true),
    answer('7', '2026-02-10', false),
  ];
  const late = [
    ...[false, true, true, true, null].map((menciona) => answer('7', '2026-03-10', menciona)),
    answer('11', '2026-03-01', true),
    answer('12', '2026-03-03', true),
    answer('12', '2026-03-04', false),
    answer('12', '2026-03-10', true),
  ];
  await publishRecords(database.db, { stream: 'respuestas', runDate: before, records: early });
  await publishRecords(database.db, { stream: 'respuestas', runDate, records: [...early, ...late] });
  const rivals = [
    rival('7', 'Uno', 30),
    rival('7', 'Dos', 45, { cuota: 0.5 }),
    rival('8', 'Uno', 30),
    rival('9', 'Uno', 30, { cuota: 0.75 }),
    rival('9', 'Dos', 30, { cuota: 0.2 }),
    rival('10', 'Marca 10 SL', 60, { propia: true }),
    rival('10', 'Uno', 20, { propia: false }),
    rival('11', 'Uno', null, { cuota: 0.4 }),
    rival('12', 'Uno', 150, { periodo: 'últimos 7 días' }),
  ];
  await publishRecords(database.db, { stream: 'competitors', runDate: before, records: rivals });
  await publishRecords(database.db, { stream: 'competitors', runDate, records: rivals });
  await refreshMapping(database.db, { 'competitors.period': 'periodo' });
}, 60_000);

describe('mention rates', () => {
  it('are of a client, an engine and a week that begins on Monday, of the answers of which it is known', async () => {
    const columns =
      'client_id, engine, week_date, answer_count, question_count, known_count, mentioned_count, mention_rate::float8';
    expect(
      await database.lines(
        `select ${columns} from bi.mention_rates where week_date < '2026-01-10' order by 1, 3, 2`,
      ),
    ).toEqual([
      '7 gemini 2025-12-22 1 1 1 1 1',
      '7 claude 2025-12-29 1 1 1 1 1',
      '7 gemini 2025-12-29 3 2 2 1 0.5',
      '8 gemini 2025-12-29 1 1 0 0 -',
    ]);
  });

  it('count each answer once', async () => {
    expect(await database.lines('select sum(answer_count) from bi.mention_rates')).toEqual([String(answers)]);
  });
});

describe('the share of voice', () => {
  const columns =
    'client_id, competitor_name, is_own, mentions_per_100_answers::float8, share_of_voice_rate::float8, share_basis';

  it('is of the mentions of the brand and its rivals, as the API states it for all or else computed, and adds up to 1', async () => {
    expect(
      await database.lines(
        `select ${columns} from bi.share_of_voice order by client_id::integer, is_own, 4, 2`,
      ),
    ).toEqual([
      '7 Uno false 30 0.2 computed',
      '7 Dos false 45 0.3 computed',
      '7 Client 7 true 75 0.5 computed',
      // Nothing is known of the brand itself.
      '8 Uno false 30 - -',
      '9 Dos false 30 0.2 stated',
      '9 Uno false 30 0.75 stated',
      // An entry of the brand itself is among them.
      '10 Uno false 20 0.25 computed',
      '10 Marca 10 SL true 60 0.75 computed',
      // Two bases differ here, and neither is right for both.
      '11 Uno false - 0.4 stated',
      '11 Client 11 true 100 - -',
      '12 Uno false 150 0.75 computed',
      // The answers cover as many days as the mentions of its rivals do.
      '12 Client 12 true 50 0.25 computed',
    ]);
  });

  it('has in its history the brand as it was named in the 28 days up to each run date', async () => {
    expect(
      await database.lines(
        `select run_date, competitor_name, mentions_per_100_answers::float8, share_of_voice_rate::float8, is_latest
         from bi_history.share_of_voice where client_id = '7' order by 1, 3`,
      ),
    ).toEqual([
      '2026-02-20 Uno 30 0.24 false',
      '2026-02-20 Dos 45 0.36 false',
      '2026-02-20 Client 7 50 0.4 false',
      '2026-03-10 Uno 30 0.2 true',
      '2026-03-10 Dos 45 0.3 true',
      '2026-03-10 Client 7 75 0.5 true',
    ]);
  });

  it('has an interval of the brand from its answers, and of rivals where the number of answers is stated', async () => {
    const intervals = `select competitor_name, is_own, answer_count, share_rate::float8, low_rate::float8, high_rate::float8
      from bi.share_of_voice where client_id = '7' order by is_own, 1`;
    expect(await database.lines(intervals)).toEqual([
      'Dos false - 0.45 - -',
      'Uno false - 0.3 - -',
      // 3 of 4 to one question: as 4 · 4 · 3/16 / (3 · 1 / 3) = 3 answers.
      'Client 7 true 4 0.75 0.256093 0.963159',
    ]);
    await refreshMapping(database.db, {
      'competitors.answers': 'respuestas',
      'competitors.period': 'periodo',
    });
    const stated = ['Uno', 'Dos'].map((nombre) => rival('7', nombre, 30, { respuestas: 10 }));
    await publishRecords(database.db, { stream: 'competitors', runDate: '2026-03-11', records: stated });
    expect((await database.lines(intervals)).slice(0, 2)).toEqual([
      'Dos false 10 0.3 0.107791 0.603222',
      'Uno false 10 0.3 0.107791 0.603222',
    ]);
  });
});
