// Which of the measurements is the one that was just started, and how often it is looked for.
import { describe, expect, it } from 'vitest';
import { RetryableError, SkippableError } from '../../src/core/errors.ts';
import {
  findMeasurement,
  isPast,
  lookForMeasurement,
  measurementIds,
  momentsIn,
  pausesMs,
  recordMark,
  type SoughtMeasurement,
} from '../../src/writes/measure/find-measurement.ts';

const startedAtMs = Date.parse('2026-04-03T10:00:00Z');
const sought = (over: Partial<SoughtMeasurement> = {}): SoughtMeasurement => ({
  id: undefined,
  business: 'Clínica Norte',
  startedAtMs,
  before: new Set(),
  ...over,
});

describe('the id in an answer', () => {
  it.each([
    [{ id: 'm-7', empresa: 'Acme' }, 'm-7'],
    [{ cliente_id: 3, medicion_id: 12 }, '12'],
    [{ medicion: { id: 5, estado: 'en_curso' } }, '5'],
    [{ ok: true, idMedicion: 'x' }, 'x'],
    [{ ok: true, valid: 'yes', paid: 3 }, undefined],
    [{ id: 9007199254740992 }, undefined],
    [{ cliente_id: 3, cliente: { id: 4 } }, undefined],
    [{ cliente: { id: 4 }, medicion: { id: 5 }, id: 6 }, '6'],
    ['started', undefined],
    [undefined, undefined],
  ])('%j: %s', (json, id) => {
    expect(measurementIds(json)[0]).toBe(id);
  });
});

describe('the measurement that was started', () => {
  const other = { id: 'm-1', empresa: 'Otra', fecha: '2026-04-03T10:05:00Z' };
  const mine = { id: 'm-2', empresa: { nombre: 'CLINICA  norte' }, fecha: '2026-04-03T10:05:00Z' };

  it('is known by its id, whatever else it says', () => {
    const records = [mine, { medicion_id: 7, empresa: 'Otra', fecha: '2020-01-01' }];
    expect(findMeasurement(records, sought({ id: '7' }))).toBe(records[1]);
    expect(findMeasurement([{ id: 'm-9', cliente_id: 7, posicion: 7 }], sought({ id: '7' }))).toBeUndefined();
  });

  it('is known by its business where its id does not come', () => {
    expect(findMeasurement([other, mine], sought({ id: 'run-1' }))).toBe(mine);
    expect(findMeasurement([other], sought())).toBeUndefined();
  });

  it('is none that was there before, also when its state has changed', () => {
    const before = new Set([recordMark({ ...mine, estado: 'en_curso' })]);
    expect(findMeasurement([mine], sought({ before }))).toBeUndefined();
    const plain = { empresa: 'Clínica Norte', nota: 3 };
    expect(findMeasurement([plain], sought({ before: new Set([recordMark(plain)]) }))).toBeUndefined();
    expect(findMeasurement([plain], sought())).toBe(plain);
  });

  it.each([
    ['2026-04-03T09:54:00Z', false],
    ['2026-04-03T09:56:00Z', true],
    ['2026-04-02', false],
    ['2026-04-03', true],
    ['2026-04-03 08:00:00', true],
    ['2026-04-03T12:00:00+02:00', true],
    ['2026-04-03T11:00:00+02:00', false],
  ])('dated %s may be it: %s', (fecha, is) => {
    expect(findMeasurement([{ ...mine, fecha }], sought())).toEqual(is ? { ...mine, fecha } : undefined);
  });
});

describe('a page', () => {
  const at = (...dates: string[]) => dates.map((fecha) => ({ fecha }));

  it('ends a look where the newest come first and it has reached earlier days', () => {
    expect(isPast(at('2026-04-03T10:00:00Z', '2026-04-01T00:00:00Z'), startedAtMs)).toBe(true);
    expect(isPast(at('2026-04-03T10:00:00Z', '2026-04-03T00:00:00Z'), startedAtMs)).toBe(false);
    expect(isPast(at('2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'), startedAtMs)).toBe(false);
    expect(isPast(at('2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z'), startedAtMs)).toBe(false);
    expect(isPast([{ fecha: '2026-04-03T10:00:00Z' }, { nota: 'x' }], startedAtMs)).toBe(false);
    expect(
      isPast(at('2026-04-01T00:00:00Z', '2026-04-02T00:00:00Z', '2026-03-01T00:00:00Z'), startedAtMs),
    ).toBe(false);
    expect(isPast([], startedAtMs)).toBe(false);
  });

  it('dates its records by what is in ISO form', () => {
    expect(momentsIn({ a: '2026-04-03T10:00:00Z', b: '03/04/2026', c: 7, d: '2026-04-03-x' })).toEqual([
      startedAtMs,
    ]);
  });
});

describe('a wait', () => {
  const stream = { name: 'mediciones', route: 'mediciones', query: {}, list: { kind: 'detect' } } as const;
  const run = async (answers: readonly (unknown[] | Error)[]) => {
    let nowMs = startedAtMs;
    let looks = 0;
    const get = async () => {
      const answer = answers[looks] ?? [];
      looks += 1;
      if (answer instanceof Error) throw answer;
      const json = { mediciones: answer };
      return { status: 200, text: JSON.stringify(json), json, replacedBytes: 0, bytes: 0, attempts: 1 };
    };
    const sleep = async (delayMs: number) => {
      nowMs += delayMs;
    };
    const clock = { now: () => nowMs, sleep };
    const { signal } = new AbortController();
    const seen = await lookForMeasurement(
      { client: { get }, stream, clock, signal, onPause: () => undefined },
      sought({ id: 'm-2' }),
    );
    return { seen, looks, minutes: (nowMs - startedAtMs) / 60_000 };
  };

  it('looks ever less often, for half an hour', async () => {
    expect(pausesMs().map((ms) => ms / 1_000)).toEqual([30, 60, 120, 240, 480, 870]);
    expect(await run([])).toEqual({ seen: undefined, looks: 6, minutes: 30 });
  });

  it('ends when it is seen, and a look that fails is followed by another', async () => {
    const record = { id: 'm-2' };
    expect(await run([[], new RetryableError('down'), [{ id: 'm-1' }, record]])).toEqual({
      seen: { record, afterMs: 210_000 },
      looks: 3,
      minutes: 3.5,
    });
  });

  it('ends where no later look can succeed', async () => {
    await expect(run([new SkippableError('gone')])).rejects.toThrow('gone');
  });
});
