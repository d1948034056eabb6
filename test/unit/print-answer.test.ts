import { describe, expect, it } from 'vitest';
import { answerLines } from '../../src/cli/commands/ask-command.ts';

const answer = (body: unknown) => answerLines(JSON.stringify(body), '¿Sube mi rank?', 40);

describe('an answer for people', () => {
  it('is its longest text, wrapped, and what it is based on', () => {
    const body = {
      pregunta: '¿Sube mi rank?',
      fecha: '2026-04-03',
      respuesta: 'El AI Rank sube dos puntos.\n\nLo hace en todos los motores que se miden.',
      basadoEn: [{ ruta: 'airank', fecha: '2026-04-03' }, 'mediciones'],
      avisos: [],
    };
    expect(answer(body)).toEqual([
      'El AI Rank sube dos puntos.',
      '',
      'Lo hace en todos los motores que se',
      'miden.',
      '',
      'Based on:',
      '  - ruta airank, fecha 2026-04-03',
      '  - mediciones',
    ]);
  });

  it('is found below other objects, and never the question itself', () => {
    const question = { texto: '¿Sube  mi RANK?' };
    expect(answer({ data: { q: question, out: 'Sí, sube.' } })).toEqual(['Sí, sube.']);
  });

  it('takes the list that names its basis before others', () => {
    const body = { a: 'One two.', rows: [1, 2], fuentes: ['citas'] };
    expect(answer(body)).toEqual(['One two.', '', 'Based on:', '  - citas']);
    expect(answer({ a: 'One two.', rows: [1], more: [2] })).toEqual(['One two.']);
  });

  it('is the whole body where it holds no sentence, with every digit', () => {
    expect(answerLines('{"n":12345678901234567891,"x":1.5}', 'q', 40)).toEqual([
      '{',
      '  "n": "12345678901234567891",',
      '  "x": 1.5',
      '}',
    ]);
  });

  it('brings no control characters to the terminal', () => {
    const body = { a: 'One \u001b[31mtwo.', basis: ['x\u0007\r\ny'] };
    expect(answer(body)).toEqual(['One [31mtwo.', '', 'Based on:', '  - x y']);
  });
});
