/**
 * Tells done, discarded and open actions apart. The API does not list its status words, so known ones in two languages
 * are matched whole; any other word means open.
 */
export type StatusMeaning = 'done' | 'dropped' | 'open' | 'unknown';

const words: Readonly<Record<'done' | 'dropped', string>> = {
  done:
    'hecha hecho completada completado terminada terminado finalizada finalizado publicada publicado implementada ' +
    'implementado aplicada aplicado resuelta resuelto cerrada cerrado done completed complete finished published ' +
    'implemented applied resolved closed shipped live',
  dropped:
    'descartada descartado rechazada rechazado cancelada cancelado anulada anulado discarded rejected cancelled ' +
    'canceled dismissed dropped declined',
};

const meanings = new Map(
  (['done', 'dropped'] as const).flatMap((meaning) =>
    words[meaning].split(' ').map((word) => [word, meaning]),
  ),
);

export function meaningOf(status: string): StatusMeaning {
  const word = status.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
  return meanings.get(word) ?? (word === '' ? 'unknown' : 'open');
}
