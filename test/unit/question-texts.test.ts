// What may be sent as a question, what counts as the same one, and what is held back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findPersonalData,
  judgeQuestion,
  questionHash,
  questionKey,
} from '../../src/writes/questions/sort-questions.ts';

const judged = (raw: string) => judgeQuestion(raw).kind;
const reasonOf = (raw: string) => {
  const judged = judgeQuestion(raw);
  return judged.kind === 'refused' ? judged.reason : undefined;
};

describe('the length of a question', () => {
  it.each([
    ['7 letters', 'a'.repeat(7), 'refused'],
    ['8 letters', 'a'.repeat(8), 'fine'],
    ['300 letters', 'a'.repeat(300), 'fine'],
    ['301 letters', 'a'.repeat(301), 'refused'],
    ['7 letters between blanks', `  ${'a'.repeat(7)}\t`, 'refused'],
    ['300 letters between blanks', `\n${'a'.repeat(300)}  `, 'fine'],
    ['8 code units that are 4 emoji', '😀'.repeat(4), 'refused'],
    ['8 emoji', '😀'.repeat(8), 'fine'],
    ['150 emoji, 300 code units', '😀'.repeat(150), 'fine'],
    ['151 emoji, 302 code units', '😀'.repeat(151), 'refused'],
    ['8 code points that are one family', '👨‍👩‍👧‍👦a', 'refused'],
    ['7 letters with an accent that does not compose', 'x\u0301'.repeat(7), 'refused'],
    ['8 letters with an accent that does not compose', 'x\u0301'.repeat(8), 'fine'],
    ['300 letters with an accent that composes', 'e\u0301'.repeat(300), 'fine'],
    ['150 letters with an accent that does not compose', 'x\u0301'.repeat(150), 'fine'],
    ['151 letters with an accent that does not compose', 'x\u0301'.repeat(151), 'refused'],
  ])('%s: %s', (_, raw, kind) => {
    expect(judged(raw)).toBe(kind);
  });

  it('is said with the bound that it crosses', () => {
    expect(reasonOf('corta')).toBe('5 characters, at least 8 are needed');
    expect(reasonOf('a'.repeat(301))).toBe('301 characters, at most 300 are taken');
    expect(reasonOf('😀'.repeat(200))).toMatch(/^400 characters where emoji .* at most 300 are taken$/);
  });

  it('holds for what is sent by every way of counting', () => {
    const segmenter = new Intl.Segmenter('es', { granularity: 'grapheme' });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 0, maxLength: 320 }), (raw) => {
        const one = judgeQuestion(raw);
        if (one.kind === 'refused') return;
        const ways = [one.text.length, [...one.text].length, [...segmenter.segment(one.text)].length];
        for (const length of ways) expect(length >= 8 && length <= 300).toBe(true);
        expect(one.text.trim()).toBe(one.text);
        expect(judgeQuestion(one.text)).toEqual(one);
      }),
    );
  });
});

describe('a question', () => {
  it('is sent composed, with one blank between words', () => {
    expect(judgeQuestion(' ¿Que\u0301\u00a0agencia\n es\tmejor? ')).toEqual({
      kind: 'fine',
      text: '¿Qué agencia es mejor?',
    });
  });

  it('with a control character, half a character or what could not be read is refused', () => {
    expect(reasonOf('¿Qué es\u0007 mejor?')).toBe('holds the control character U+0007');
    expect(reasonOf('¿Qué es\ud83d mejor?')).toBe('holds half a character (U+D83D)');
    expect(reasonOf('¿Qu\ufffd es mejor?')).toMatch(/^holds U\+FFFD/);
  });

  it('is the same whatever its letter case, blanks and punctuation at the ends', () => {
    const same = ['¿Qué  agencia es MEJOR?', 'qué agencia es mejor', ' Que\u0301 agencia es mejor!! '];
    expect(new Set(same.map(questionKey)).size).toBe(1);
    expect(new Set(same.map((text) => questionHash(text).toString('hex'))).size).toBe(1);
    expect(questionKey('¿Qué agencia es mejor en Vigo?')).not.toBe(questionKey(same[0] ?? ''));
    expect(questionKey('precio de 3,5 kW')).not.toBe(questionKey('precio de 35 kW'));
  });

  it('of punctuation alone is not the same as every other of punctuation alone', () => {
    expect(questionHash('????????').equals(questionHash('!!!!!!!!'))).toBe(false);
  });
});

describe('personal data', () => {
  it.each([
    ['escríbeme a ana.perez+web@correo.example.es por favor', 'an e-mail address'],
    ['mi correo es ana (at) correo.es', 'an e-mail address'],
    ['josé@ñandú.es ¿me contestas?', 'an e-mail address'],
    ['¿De quién es el ES91 2100 0418 4502 0005 1332?', 'an IBAN'],
    ['transferencia a es9121000418450200051332', 'an IBAN'],
    ['¿de qué provincia es el 600 12 34 56?', 'a phone number'],
    ['llámame al +34 600123456', 'a phone number'],
    ['llámame al 0034600123456', 'a phone number'],
    ['call me at (555) 123-4567 please', 'a phone number'],
    ['91.123.45.67 ¿quién llama?', 'a phone number'],
    ['¿qué seguro tiene el 600123456?', 'a long number'],
    ['mi DNI es 12345678Z', 'a long number'],
    ['mi DNI es 12.345.678-Z', 'a long number'],
    ['mi NIE es X1234567L', 'a long number'],
    ['tarjeta 4111111111111111 caducada', 'a long number'],
    ['número ٠١٢٣٤٥٦٧ de contrato', 'a long number'],
  ])('%s: %s', (text, kind) => {
    expect(findPersonalData(text)).toEqual([kind]);
  });

  it.each([
    '¿Cuál es la mejor agencia de Madrid en 2026?',
    '¿Qué cambió entre 2024 y 2025, y qué entre 2025-2026?',
    '¿Cuánto cuesta un piso de 1.250.000 € en Vigo?',
    'hipoteca de 1234567 euros a 30 años',
    '¿abren el 2026-04-03 de 10:00 a 14:30?',
    'tornillos M6 de 8x40 DIN 7991, paquete de 500',
    'es20 mejores restaurantes de la ciudad',
    '@empresa en redes, ¿quién la lleva?',
    'versión 10.15.7 frente a 11.0.2',
    '¿abre 24/7 los 365 días?',
  ])('none in: %s', (text) => {
    expect(findPersonalData(text)).toEqual([]);
  });
});
